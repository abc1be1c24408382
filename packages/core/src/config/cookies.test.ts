import { describe, expect, it } from "vitest"
import { cookieTable } from "./cookies.js"

describe("the cookie table", () => {
  it("has the names existing applications have [spec options cookies]", () => {
    const plain = cookieTable({ secure: false })
    const secure = cookieTable({ secure: true })
    const names = Object.keys(plain).map((role) => [plain[role as "state"].name, secure[role as "state"].name])
    expect(names).toEqual([
      ["authjs.session-token", "__Secure-authjs.session-token"],
      ["authjs.callback-url", "__Secure-authjs.callback-url"],
      ["authjs.csrf-token", "__Host-authjs.csrf-token"],
      ["authjs.pkce.code_verifier", "__Secure-authjs.pkce.code_verifier"],
      ["authjs.state", "__Secure-authjs.state"],
      ["authjs.nonce", "__Secure-authjs.nonce"],
      ["authjs.challenge", "__Secure-authjs.challenge"],
    ])
  })

  it("is http-only, lax, for all paths, and secure only on https [spec authentication 9]", () => {
    for (const secure of [true, false]) {
      for (const { options } of Object.values(cookieTable({ secure }))) {
        expect(options).toMatchObject({ httpOnly: true, sameSite: "lax", path: "/", secure })
        expect(options.domain).toBeUndefined()
      }
    }
  })

  it("gives a check fifteen minutes and a session none of its own", () => {
    const table = cookieTable({ secure: true })
    expect(
      [table.state, table.pkceCodeVerifier, table.nonce, table.webauthnChallenge].map(({ options }) => options.maxAge),
    ).toEqual([900, 900, 900, 900])
    expect([table.sessionToken, table.csrfToken, table.callbackUrl].map(({ options }) => options.maxAge)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it("merges name and attributes one by one; a name counts as it is", () => {
    const table = cookieTable({
      secure: true,
      overrides: {
        sessionToken: { name: "sid" },
        state: { options: { domain: "app.test", sameSite: "None" as never } },
      },
    })
    expect(table.sessionToken).toMatchObject({ name: "sid", options: { httpOnly: true, secure: true } })
    expect(table.state).toMatchObject({
      name: "__Secure-authjs.state",
      options: { domain: "app.test", sameSite: "none", maxAge: 900 },
    })
  })

  it("reads undefined as absent and null as none", () => {
    const overrides = {
      sessionToken: { name: undefined, options: { path: undefined, httpOnly: undefined } },
      state: { options: { maxAge: null } },
      nonce: undefined,
      csrfToken: null,
    }
    const table = cookieTable({ secure: false, overrides: overrides as never })
    expect(table.sessionToken).toEqual({
      name: "authjs.session-token",
      options: { httpOnly: true, sameSite: "lax", path: "/", secure: false },
    })
    expect(table.state.options).not.toHaveProperty("maxAge")
    expect([table.nonce.name, table.csrfToken.name]).toEqual(["authjs.nonce", "authjs.csrf-token"])
  })

  it("is frozen and shares nothing with the overrides", () => {
    const overrides = Object.freeze({ state: Object.freeze({ options: Object.freeze({ path: "/x" }) }) })
    const table = cookieTable({ secure: false, overrides })
    expect(Object.isFrozen(table)).toBe(true)
    expect(Object.isFrozen(table.state)).toBe(true)
    expect(Object.isFrozen(table.state.options)).toBe(true)
  })
})
