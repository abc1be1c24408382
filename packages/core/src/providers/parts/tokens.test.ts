import { describe, expect, it } from "vitest"
import { mendingTokens, mendTokens, regular } from "./tokens.js"

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
  ])("like %j becomes regular", async (body, mended) => {
    expect(await (await mendTokens(Response.json(body, { status: 201 })))?.json()).toEqual(mended)
    expect(regular(body)).toEqual(mended)
  })

  it.each([
    ["a refusal", Response.json({ error: "invalid_grant" }, { status: 400 })],
    ["a page", new Response("<html>")],
    ["a list", Response.json([{ access_token: "a" }])],
  ])("that is %s stays as it is", async (_, response) => {
    expect(await mendTokens(response)).toBeUndefined()
  })

  it("that nests its tokens is unwrapped, and one that does not is taken as well", async () => {
    const mend = mendingTokens(({ data }) => data)
    const regularOne = { access_token: "a", token_type: "bearer" }
    expect(await (await mend(Response.json({ data: { access_token: "a" } })))?.json()).toEqual(regularOne)
    expect(await (await mend(Response.json({ access_token: "a" })))?.json()).toEqual(regularOne)
  })
})
