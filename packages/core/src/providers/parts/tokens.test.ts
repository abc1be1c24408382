import { describe, expect, it } from "vitest"
import { normaliseTokens, regular, unwrapTokens } from "./tokens.js"

describe("a token answer", () => {
  it.each([
    [{ access_token: "a" }, { access_token: "a", token_type: "bearer" }],
    [
      { access_token: "a", token_type: "Bearer", scope: ["x", "y"], expires_in: "60" },
      { access_token: "a", token_type: "Bearer", scope: "x y", expires_in: 60 },
    ],
    [
      { access_token: "a", scope: null, refresh_token: null, expires_in: 0 },
      { access_token: "a", token_type: "bearer" },
    ],
  ])("like %j becomes regular", async (body, normalised) => {
    expect(await (await normaliseTokens(Response.json(body, { status: 201 })))?.json()).toEqual(normalised)
    expect(regular(body)).toEqual(normalised)
  })

  it.each([
    ["a refusal", Response.json({ error: "invalid_grant" }, { status: 400 })],
    ["a page", new Response("<html>")],
    ["a list", Response.json([{ access_token: "a" }])],
  ])("that is %s stays as it is", async (_, response) => {
    expect(await normaliseTokens(response)).toBeUndefined()
  })

  it("that nests its tokens is unwrapped, and one that does not is taken as well", async () => {
    const normalise = unwrapTokens(({ data }) => data)
    const regularOne = { access_token: "a", token_type: "bearer" }
    expect(await (await normalise(Response.json({ data: { access_token: "a" } })))?.json()).toEqual(regularOne)
    expect(await (await normalise(Response.json({ access_token: "a" })))?.json()).toEqual(regularOne)
  })
})
