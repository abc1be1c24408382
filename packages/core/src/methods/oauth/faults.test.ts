/** What an error contains, and what it never contains. */

import { inspect } from "node:util"
import { AuthorizationResponseError } from "oauth4webapi"
import { describe, expect, it } from "vitest"
import { oidcAt, openDesk, refusalOf, signIn } from "../../../test/support/oauth-desk.js"
import { type FakeOp, json, openOp } from "../../../test/support/op.js"
import { AccessDenied } from "../../errors.js"
import { asCallbackError, asSignInError, ProtocolError, Unreachable } from "./faults.js"

describe("an error that is passed on", () => {
  const cases = [
    { what: "an error of ours", error: new AccessDenied("no"), begin: "AccessDenied", back: "AccessDenied" },
    {
      what: "a call that did not get through",
      error: new Unreachable("down"),
      begin: "ProviderUnavailable",
      back: "ProviderUnavailable",
    },
    {
      what: "an answer that does not fit",
      error: new ProtocolError("odd"),
      begin: "OAuthSignInError",
      back: "OAuthCallbackError",
    },
    { what: "anything else", error: new TypeError("x"), begin: "OAuthSignInError", back: "OAuthCallbackError" },
    { what: "no error at all", error: "text", begin: "OAuthSignInError", back: "OAuthCallbackError" },
  ]
  it.each(cases)("$what: $begin on the way out, $back on the way back", ({ error, begin, back }) => {
    expect([asSignInError(error, "op").type, asCallbackError(error, "op").type]).toEqual([begin, back])
  })

  it("keeps the error below without what hangs on it", () => {
    const below = new AuthorizationResponseError("odd", { cause: new URLSearchParams("error=x&code=secret") })
    const error = asCallbackError(below, "op")
    expect(error.cause?.err).toMatchObject({ name: "AuthorizationResponseError", message: "odd" })
    expect(error.cause?.err?.cause).toBeUndefined()
    expect(error.cause).toMatchObject({ code: "x", provider: "op" })
  })

  it("repeats descriptions without words that may be secrets", () => {
    const description = `the code ${"a1".repeat(20)} was used, see https://op.test/docs/errors and x.${"y".repeat(40)}.z`
    expect(new ProtocolError("x", { description }).description).toBe(
      "the code [...] was used, see https://op.test/docs/errors and [...]",
    )
  })
})

describe("whatever goes wrong on the way back", () => {
  const faults: [string, (op: FakeOp) => void][] = [
    [
      "the issuer",
      (op) => {
        op.idToken = { iss: "https://evil.test" }
      },
    ],
    [
      "the audience",
      (op) => {
        op.idToken = { aud: "somebody-else" }
      },
    ],
    [
      "the signature",
      (op) => {
        op.sign = async () => "eyJhbGciOiJSUzI1NiJ9.e30.c2ln"
      },
    ],
    [
      "the token answer",
      (op) => {
        op.tokens = { token_type: "mac" }
      },
    ],
    [
      "the grant",
      (op) => {
        op.faults.token = ({ body }) =>
          json(
            {
              error: "invalid_grant",
              error_description: `code ${body.get("code")} verifier ${body.get("code_verifier")}`,
            },
            400,
          )
      },
    ],
    [
      "the grant, with status 200",
      (op) => {
        op.faults.token = ({ body }) => json({ error: "invalid_grant", error_description: `code ${body.get("code")}` })
      },
    ],
    [
      "the profile",
      (op) => {
        op.faults.userinfo = ({ headers }) => json({ sub: headers.get("authorization") })
      },
    ],
    [
      "the body",
      (op) => {
        op.faults.token = ({ body }) => new Response(`{"broken ${body.get("code")}`)
      },
    ],
  ]
  it.each(faults)("(%s), no secret is in the error, at any depth [decisions 33]", async (_, prepare) => {
    const op = await openOp()
    const issued: string[] = []
    const { fetch } = op
    const watching = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const response = await fetch(input, init)
      const text = await response.clone().text()
      for (const [, token] of text.matchAll(/"(?:access_token|id_token)":"([^"]+)"/g)) issued.push(token as string)
      return response
    }
    prepare(op)
    const provider = oidcAt({ ...op, fetch: watching } as FakeOp, { idToken: false })
    const error = await refusalOf(signIn(openDesk(provider), op))
    const text = inspect(error, { depth: 20, showHidden: true })
    const [call] = op.callsOf("token")
    const secrets = [call?.body.get("code"), call?.body.get("code_verifier"), op.clientSecret, ...issued]
    for (const secret of secrets) expect(text).not.toContain(secret ?? "?")
    expect(error.type).toMatch(/OAuth|Invalid/)
  })

  it("names expected and received where neither is secret", { tags: ["threat:FI-17"] }, async () => {
    const op = await openOp()
    op.idToken = { iss: "https://op.test/" }
    const { message } = await refusalOf(signIn(openDesk(oidcAt(op)), op))
    expect(message).toContain('expected "https://op.test", received "https://op.test/"')
  })
})
