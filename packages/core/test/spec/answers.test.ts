/** What the core answers: the list of providers, and plain values instead of a response. */
import { Auth, raw } from "@latchkey/core"
import { describe, expect, it } from "vitest"
import Credentials from "../../src/providers/credentials.js"
import type { AuthConfig, ResponseInternal } from "../../src/types/config.js"
import { makeWorld, worldSecret } from "../support/world.js"

describe("the list of providers", () => {
  it("has id, name, type and two addresses of each, and nothing else [spec public-provider id] [spec public-provider name] [spec public-provider type] [spec public-provider signinUrl] [spec public-provider callbackUrl]", async () => {
    const world = await makeWorld()
    const visit = await world.browser().get("/auth/providers")
    expect(JSON.parse(visit.text)).toEqual({
      op: {
        id: "op",
        name: "Test OP",
        type: "oidc",
        signinUrl: "https://app.test/auth/signin/op",
        callbackUrl: "https://app.test/auth/callback/op",
      },
      mail: {
        id: "mail",
        name: "Mail",
        type: "email",
        signinUrl: "https://app.test/auth/signin/mail",
        callbackUrl: "https://app.test/auth/callback/mail",
      },
    })
  })
})

describe("a response as plain values", () => {
  const providers = [Credentials({ authorize: () => ({ id: "7", name: "Ada" }) })]
  const config: AuthConfig = {
    providers,
    secret: worldSecret,
    trustHost: true,
    skipCSRFCheck: Symbol("skip-csrf-check"),
  }
  const ask = (path: string, init?: RequestInit): Promise<ResponseInternal> =>
    Auth(new Request(`https://app.test/auth/${path}`, init), { ...config, raw })

  it("has status, headers and body [spec response status] [spec response headers] [spec response body]", async () => {
    const list = await ask("providers")
    expect(list).not.toBeInstanceOf(Response)
    expect(list.status).toBe(200)
    expect(new Headers(list.headers).get("content-type")).toBe("application/json")
    expect(list.body).toMatchObject({ credentials: { id: "credentials" } })
    expect((await ask("session")).body).toBeNull()
    expect((await ask("signin")).body).toMatch(/^<!doctype html>/i)
  })

  it("has no body where the response has none [spec response body] [spec response status]", async () => {
    const missing = await ask("csrf")
    expect(missing.status).toBe(404)
    expect(missing).not.toHaveProperty("body")
  })

  it("has the redirect and the cookies beside the headers [spec response redirect] [spec response cookies]", async () => {
    const answer = await ask("callback/credentials", {
      method: "POST",
      body: new URLSearchParams({ callbackUrl: "/home" }),
    })
    expect(answer).toMatchObject({ status: 302, redirect: "https://app.test/home" })
    expect(answer.cookies).toContainEqual({
      name: "__Secure-authjs.session-token",
      value: expect.stringMatching(/^ey/),
      options: expect.objectContaining({ httpOnly: true, path: "/", expires: expect.any(Date) }),
    })
    const headers = new Headers(answer.headers)
    expect([headers.get("location"), headers.get("set-cookie")]).toEqual([null, null])
    expect(await ask("session")).not.toHaveProperty("redirect")
  })
})
