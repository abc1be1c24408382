import { describe, expect, it, vi } from "vitest"
import { contextOf, noon, settingsOf } from "../../test/support/facts.js"
import { AdapterError, AuthError, CredentialsSignin } from "../errors.js"

const provider = {
  id: "op",
  name: "OP",
  type: "oauth",
  authorization: "https://op.test/a",
  token: "https://op.test/t",
  userinfo: "https://op.test/u",
} as const

describe("createContext", () => {
  it.each([
    ["https://app.test/auth/session", undefined, "__Secure-authjs.session-token"],
    ["http://app.test/auth/session", undefined, "authjs.session-token"],
    ["http://app.test/auth/session", true, "__Secure-authjs.session-token"],
    ["https://app.test/auth/session", false, "authjs.session-token"],
  ])(
    "names cookies by the scheme of %s, unless useSecureCookies is %s [spec options useSecureCookies]",
    { tags: ["threat:V3-03"] },
    async (url, useSecureCookies, name) => {
      expect((await contextOf(url, { config: { useSecureCookies } })).cookies.sessionToken.name).toBe(name)
    },
  )

  it("goes by the configured address where there is one", { tags: ["threat:HO-19", "threat:HO-35"] }, async () => {
    const settings = settingsOf({}, { AUTH_URL: "https://app.test" })
    expect((await contextOf("http://inner:8080/auth/session", { settings })).cookies.csrfToken.name).toBe(
      "__Host-authjs.csrf-token",
    )
  })

  it.each([
    ["op", "op"],
    ["OP", undefined],
    ["__proto__", undefined],
    ["constructor", undefined],
  ])(
    "finds for the path's provider %s: %s",
    { tags: ["threat:PP-09", "threat:PA-14", "threat:PA-17"] },
    async (id, found) => {
      const context = await contextOf(`https://app.test/auth/signin/${id}`, { config: { providers: [provider] } })
      expect(context.provider?.id).toBe(found)
    },
  )

  it("reads the clock it was given", async () => {
    expect((await contextOf("https://app.test/auth/session")).now).toBe(noon)
  })
})

describe("incident", () => {
  it("is one word of twelve characters, the same for a request, another for the next", async () => {
    const contexts = await Promise.all(Array.from({ length: 50 }, () => contextOf("https://app.test/auth/session")))
    const ids = contexts.map((context) => context.incident())
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{12}$/)
    expect(new Set(ids).size).toBe(50)
    expect(contexts.map((context) => context.incident())).toEqual(ids)
  })

  it("goes into the log with a fault, which stays what it was", async () => {
    const error = vi.fn()
    const context = await contextOf("https://app.test/auth/session", { config: { logger: { error } } })
    class OwnError extends AdapterError {
      readonly extra = 1
    }
    const cause = new Error("below")
    const thrown = Object.freeze(new OwnError(cause, { operation: "getUser" }))
    context.log.error(thrown)
    const logged = error.mock.calls[0]?.[0] as OwnError & { incident: string }
    expect(logged).toBeInstanceOf(OwnError)
    expect(logged).toMatchObject({
      message: "below",
      type: "AdapterError",
      name: thrown.name,
      extra: 1,
      incident: context.incident(),
    })
    expect(logged.stack).toBe(thrown.stack)
    expect(logged.cause).toMatchObject({ err: cause, operation: "getUser" })
    expect(Object.keys(logged)).not.toContain("stack")
    expect("incident" in thrown).toBe(false)
  })

  it("is not made for a refusal", async () => {
    const error = vi.fn()
    const context = await contextOf("https://app.test/auth/session", { config: { logger: { error } } })
    context.log.error(new CredentialsSignin())
    context.log.error(new TypeError("foreign"))
    context.log.error(new AuthError("ours"))
    expect(error.mock.calls.map(([logged]) => (logged as { incident?: string }).incident)).toEqual([
      undefined,
      context.incident(),
      context.incident(),
    ])
  })

  it("leaves warnings and debug messages alone", async () => {
    const warn = vi.fn()
    const debug = vi.fn()
    const { log } = await contextOf("https://app.test/auth/session", { config: { logger: { warn, debug } } })
    log.warn("csrf-disabled")
    log.debug("hello", { a: 1 })
    expect(warn.mock.calls).toEqual([["csrf-disabled"]])
    expect(debug.mock.calls[0]?.[0]).toBe("hello")
  })
})
