/** Pages of the application, its theme, its logger and its cookies in place of the built-in ones. */
import { afterEach, describe, expect, it, vi } from "vitest"
import type { AuthConfig } from "../../src/types/config.js"
import { makeWorld } from "../support/world.js"

const own = (pages: AuthConfig["pages"]) => makeWorld({ config: { pages } })

describe("the page", () => {
  it("signIn replaces the built-in one at /signin [spec pages signIn] [spec options pages]", async () => {
    const built = await (await own({})).browser().get("/auth/signin")
    expect([built.status, built.text.includes("Continue with Test OP")]).toEqual([200, true])
    const visit = await (await own({ signIn: "/login" })).browser().get("/auth/signin?callbackUrl=/inbox")
    expect([visit.status, visit.location]).toEqual([
      302,
      "https://app.test/login?callbackUrl=https%3A%2F%2Fapp.test%2Finbox",
    ])
  })

  it("signOut replaces the built-in one [spec pages signOut]", async () => {
    const built = await own({})
    const person = built.browser()
    await built.signInAtOp(person)
    expect((await person.get("/auth/signout")).text).toContain('action="https://app.test/auth/signout"')
    expect((await (await own({ signOut: "/bye" })).browser().get("/auth/signout")).location).toBe(
      "https://app.test/bye",
    )
  })

  it("error replaces the built-in one at /error [spec pages error]", async () => {
    const refuse = { callbacks: { signIn: () => false } }
    const built = await makeWorld({ config: refuse })
    expect((await built.signInAtOp(built.browser())).location).toBe("https://app.test/auth/error?error=AccessDenied")
    const world = await makeWorld({ config: { ...refuse, pages: { error: "/oops" } } })
    expect((await world.signInAtOp(world.browser())).location).toBe("https://app.test/oops?error=AccessDenied")
  })

  it("verifyRequest replaces the built-in one [spec pages verifyRequest]", async () => {
    const world = await own({ verifyRequest: "/check-mail" })
    const browser = world.browser()
    const asked = await browser.post("/auth/signin/mail", { email: "a@app.test" })
    const { pathname, search } = new URL(asked.location ?? "")
    expect((await browser.get(pathname + search)).location).toBe("https://app.test/check-mail?provider=mail&type=email")
    expect((await (await own({})).browser().get("/auth/verify-request")).status).toBe(200)
  })

  it("newUser is opened after the first sign-in of a user, and after no other [spec pages newUser]", async () => {
    const world = await own({ newUser: "/welcome" })
    const first = await world.signInAtOp(world.browser(), { callbackUrl: "/inbox" })
    expect(first.location).toBe("https://app.test/welcome?callbackUrl=https%3A%2F%2Fapp.test%2Finbox")
    expect((await world.signInAtOp(world.browser(), { callbackUrl: "/inbox" })).location).toBe("https://app.test/inbox")
    const without = await own({})
    expect((await without.signInAtOp(without.browser(), { callbackUrl: "/inbox" })).location).toBe(
      "https://app.test/inbox",
    )
  })

  it("of sign-in and error may be given an error, or none [spec pages error-parameter]", async () => {
    const pages = { signIn: "/login", error: "/oops" }
    const built = (await own({})).browser()
    expect((await built.get("/auth/signin?error=SessionRequired")).text).toContain("Please sign in to see this page.")
    expect((await built.get("/auth/signin")).text).not.toContain('role="alert"')
    expect((await built.get("/auth/error?error=Verification")).text).toContain("This link no longer works")
    expect((await built.get("/auth/error")).text).toContain("Something went wrong")
    const browser = (await own(pages)).browser()
    const locations = await Promise.all(
      ["signin?error=Callback", "error?error=Verification", "error"].map((path) => browser.get(`/auth/${path}`)),
    )
    expect(locations.map(({ location }) => location)).toEqual([
      expect.stringMatching(/\/login\?.*error=Callback/),
      "https://app.test/oops?error=Verification",
      "https://app.test/oops",
    ])
  })
})

describe("the logger", () => {
  afterEach(() => void vi.restoreAllMocks())
  const silent = () => {
    const spies = (["error", "warn", "log"] as const).map((name) => vi.spyOn(console, name).mockReturnValue())
    return () => spies.map(({ mock }) => mock.calls.length)
  }

  it("gets errors, warnings and debug messages, and the console gets none [spec logger error] [spec logger warn] [spec logger debug] [spec options logger]", async () => {
    const calls = silent()
    const error = vi.fn()
    const warn = vi.fn()
    const debug = vi.fn()
    const skipCSRFCheck = Symbol("skip-csrf-check")
    const world = await makeWorld({
      strategy: "jwt",
      config: { logger: { error, warn, debug }, skipCSRFCheck },
    })
    const browser = world.browser()
    await browser.get("/auth/csrf")
    await browser.get("/auth/session")
    expect(warn).toHaveBeenCalledWith("csrf-disabled")
    expect(debug).toHaveBeenCalledWith(expect.any(String), expect.anything())
    expect(error).not.toHaveBeenCalled()
    await browser.get("/auth/nothing")
    expect(error).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: "UnknownAction" }))
    expect(calls()).toEqual([0, 0, 0])
  })

  it("may have some of the methods: the console replaces error and warn [spec logger error] [spec logger warn]", async () => {
    const calls = silent()
    const debug = vi.fn()
    const world = await makeWorld({ config: { logger: { debug } } })
    await world.browser().get("/auth/nothing")
    expect(calls()[0]).toBeGreaterThan(0)
    const other = await makeWorld({ config: { logger: { debug }, skipCSRFCheck: Symbol("skip-csrf-check") } })
    await other.browser().get("/auth/csrf")
    expect(calls()[1]).toBeGreaterThan(0)
  })

  it.each([
    [false, undefined, 0],
    [true, undefined, 1],
    [true, {}, 0],
  ])(
    "with debug %s and logger %j: debug messages go to the console or nowhere [spec options debug] [spec options logger]",
    async (debug, logger, least) => {
      const calls = silent()
      const world = await makeWorld({ strategy: "jwt", config: { debug, logger } })
      const browser = world.browser()
      browser.setCookie("__Secure-authjs.session-token", "broken")
      await browser.get("/auth/session")
      expect(Math.min(calls()[2] ?? 0, 1)).toBe(least)
    },
  )
})

describe("cookies", () => {
  const roles = ["sessionToken", "callbackUrl", "csrfToken", "pkceCodeVerifier", "state", "nonce"] as const

  it("have the names that the application configures, purpose by purpose [spec cookies overrides] [spec options cookies]", async () => {
    for (const role of roles) {
      const cookies = { [role]: { name: `own-${role}`, options: { path: "/", domain: "app.test" } } }
      const world = await makeWorld({ provider: { checks: ["pkce", "state", "nonce"] }, config: { cookies } })
      const browser = world.browser()
      const seen = new Set<string>()
      const begun = await browser.post("/auth/signin/op", { callbackUrl: "/inbox" })
      for (const name of browser.jar.keys()) seen.add(name)
      const back = world.op.authorize(begun.location ?? "")
      const done = await browser.get(back.pathname + back.search)
      expect(done.location).toBe("https://app.test/inbox")
      for (const name of browser.jar.keys()) seen.add(name)
      expect([...seen].filter((name) => !name.startsWith("__"))).toEqual([`own-${role}`])
      expect(seen.size).toBe(roles.length)
    }
  })

  it("of passkeys as well [spec cookies overrides]", async () => {
    const { default: Passkey } = await import("../../src/providers/passkey.js")
    const world = await makeWorld({
      config: {
        providers: [Passkey],
        experimental: { enableWebAuthn: true },
        cookies: { webauthnChallenge: { name: "own-challenge" } },
      },
    })
    expect((await world.browser().get("/auth/webauthn-options/passkey")).setCookies).toEqual(["own-challenge"])
  })

  it("keep their defaults where nothing is configured [spec options cookies]", async () => {
    const world = await makeWorld({ config: { cookies: { sessionToken: { options: { sameSite: "strict" } } } } })
    const visit = await world.signInAtOp(world.browser())
    const line = visit.headers.getSetCookie().find((cookie) => cookie.startsWith("__Secure-authjs.session-token="))
    expect(line).toMatch(/; Path=\/;.*HttpOnly; Secure; SameSite=Strict/)
  })
})
