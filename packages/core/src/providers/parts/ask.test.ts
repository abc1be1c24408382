import { describe, expect, it, vi } from "vitest"
import type { FetchFunction } from "../../types/provider.js"
import { ask, askForTokens, type CodeExchange, codeForm, secretOf } from "./ask.js"

const answering = (response: Response) => vi.fn<FetchFunction>(async () => response)
const given = { service: "Acme", url: "https://acme.test/me" }

describe("a call", () => {
  it.each([
    [{}, "GET", undefined, null],
    [{ method: "POST" as const }, "POST", undefined, null],
    [{ json: { a: 1 } }, "POST", '{"a":1}', "application/json"],
    [{ form: { a: "1", b: undefined } }, "POST", "a=1", "application/x-www-form-urlencoded"],
  ])("with %j is a %s", async (question, method, body, type) => {
    const fetch = answering(Response.json({ id: 1 }))
    expect(await ask({ ...given, fetch, token: "at", ...question })).toEqual({ id: 1 })
    const [, init] = fetch.mock.calls[0] ?? []
    const headers = new Headers(init?.headers)
    expect([init?.method, init?.body, headers.get("content-type")]).toEqual([method, body, type])
    expect([headers.get("authorization"), headers.get("user-agent")]).toEqual(["Bearer at", "latchkey"])
  })

  it("reports a refusal with its status", async () => {
    const fetch = answering(Response.json({}, { status: 403 }))
    await expect(ask({ ...given, fetch })).rejects.toThrow("Acme answered 403 to the request for the profile.")
  })
})

describe("a token request of a provider's own", () => {
  it("returns the extracted tokens in regular form", async () => {
    const fetch = answering(Response.json({ body: { access_token: "a" } }))
    const { tokens } = await askForTokens({ ...given, fetch, form: {} }, ({ body }) => body)
    expect(tokens).toEqual({ access_token: "a", token_type: "bearer" })
  })

  it("returns a refusal for the engine to report", async () => {
    const fetch = answering(Response.json({ error: "invalid_grant" }, { status: 400 }))
    expect((await askForTokens({ ...given, fetch })).tokens).toMatchObject({ error: "invalid_grant" })
  })

  it("fails when the answer holds nothing", async () => {
    const fetch = answering(new Response("<html>", { status: 502 }))
    await expect(askForTokens({ ...given, fetch })).rejects.toThrow("Acme answered 502 without a JSON object")
  })

  it("carries the code, the verifier and the callback", () => {
    const exchange = { params: { code: "c" }, checks: { code_verifier: "v" }, redirectUri: "https://app.test/cb" }
    expect(codeForm(exchange as unknown as CodeExchange)).toEqual({
      grant_type: "authorization_code",
      code: "c",
      redirect_uri: "https://app.test/cb",
      code_verifier: "v",
    })
  })

  it("accepts a secret that is a string", () => {
    expect([secretOf({ clientSecret: "s" }), secretOf({ clientSecret: () => "s" }), secretOf({})]).toEqual([
      "s",
      undefined,
      undefined,
    ])
  })
})
