import { describe, expect, it } from "vitest"
import { completeCallbacks } from "./callbacks.js"

const base = "https://app.test"

describe("default callbacks", () => {
  const { signIn, redirect, session, jwt } = completeCallbacks(undefined)

  it("allow every sign-in [spec callback signIn]", async () => {
    expect(await signIn({ user: {} })).toBe(true)
  })

  it.each([
    ["/dash?x=1", `${base}/dash?x=1`],
    [`${base}/dash`, `${base}/dash`],
    [base, base],
    [`${base}/`, `${base}/`],
    ["https://evil.test/", base],
    ["http://app.test/", base],
    ["https://app.test:8443/", base],
    ["//evil.test", base],
    ["/\\evil.test", base],
    ["https://user@app.test/", base],
    ["blob:https://app.test/x", base],
    ["javascript:alert(1)", base],
    ["https://app.test.evil.test/", base],
    ["http://[", base],
  ])("send %s to %s [spec callback redirect]", { tags: ["threat:U-31"] }, async (url, expected) => {
    expect(await redirect({ url, baseUrl: base })).toBe(expected)
  })

  it("show name, address and image only [spec callback session]", async () => {
    const user = { id: "1", name: "Ada", email: "a@b", image: null, role: "admin", emailVerified: null }
    const shown = await session({ session: { user, expires: "2030-01-01T00:00:00.000Z", secret: 1 } } as never)
    expect(shown).toEqual({ user: { name: "Ada", email: "a@b", image: null }, expires: "2030-01-01T00:00:00.000Z" })
  })

  it("show no address where there is none", async () => {
    const shown = await session({ session: { user: { id: "1", email: "" }, expires: new Date(0) } } as never)
    expect(shown).toMatchObject({ user: { email: null }, expires: "1970-01-01T00:00:00.000Z" })
  })

  it("keep the token as it is [spec callback jwt]", async () => {
    const token = { sub: "1" }
    expect(await jwt({ token })).toBe(token)
  })
})

describe("callbacks of the application", () => {
  it("cannot be exchanged in the settings", () => {
    expect(Object.isFrozen(completeCallbacks({}))).toBe(true)
  })

  it("are called on their own object and found at each call", async () => {
    class Rules {
      allowed = false
      signIn() {
        return this.allowed
      }
    }
    const rules = new Rules()
    const callbacks = completeCallbacks(rules)
    expect(await callbacks.signIn({ user: {} })).toBe(false)
    rules.signIn = () => true
    expect(await callbacks.signIn({ user: {} })).toBe(true)
  })

  it("that are undefined have their default", async () => {
    expect(await completeCallbacks({ signIn: undefined, jwt: undefined }).signIn({ user: {} })).toBe(true)
  })
})
