/** What the service is, as a whole application meets it. */
import { Auth } from "@latchkey/core"
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import Credentials from "../../src/providers/credentials.js"
import { providerIds } from "../../src/providers/ids.js"
import Passkey from "../../src/providers/passkey.js"
import { passkeyCeremony } from "../support/passkeys.js"
import { recordCalls } from "../support/recorder.js"
import { makeWorld, worldSecret } from "../support/world.js"

describe("the service", () => {
  it.each(["oidc", "oauth"] as const)("signs people in through %s [spec service 1]", async (type) => {
    const endpoints = { authorization: "https://op.test/authorize", token: "https://op.test/token" }
    const provider = type === "oidc" ? {} : { type, ...endpoints, userinfo: "https://op.test/userinfo" }
    const world = await makeWorld({ provider })
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(world.errors).toEqual([])
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })

  it("signs people in through email, credentials and webauthn, and refuses any other type [spec service 1]", async () => {
    const world = await makeWorld()
    const byMail = world.browser()
    await world.signInByMail(byMail, "mail@app.test")
    expect(await byMail.session()).toMatchObject({ user: { email: "mail@app.test" } })

    const credentials = Credentials({ authorize: () => ({ id: "7", name: "Pin" }) })
    const pins = await makeWorld({ adapter: false, config: { providers: [credentials] } })
    const byPin = pins.browser()
    await byPin.post("/auth/callback/credentials", { pin: "1234" })
    expect(await byPin.session()).toMatchObject({ user: { name: "Pin" } })

    const keys = await makeWorld({ config: { providers: [Passkey], experimental: { enableWebAuthn: true } } })
    const byKey = keys.browser()
    await passkeyCeremony(byKey, softwarePasskey(), { action: "register", email: "key@app.test" })
    expect(await byKey.session()).toMatchObject({ user: { email: "key@app.test" } })
    const list = JSON.parse((await byKey.get("/auth/providers")).text) as Record<string, object>
    expect(list).toMatchObject({ passkey: { id: "passkey", type: "webauthn" } })

    const other = await makeWorld({ provider: { type: "saml" } })
    expect((await other.browser().post("/auth/signin/op")).location).toContain("error=Configuration")
    expect(other.errors[0]?.message).toContain("oauth, oidc, email, credentials, webauthn")
  })

  it("keeps sessions sealed in the cookie, or in rows the cookie names [spec service 2] [spec options session.strategy]", async () => {
    for (const strategy of ["jwt", "database"] as const) {
      const { adapter, calls } = recordCalls(memoryAdapter())
      const world = await makeWorld({ strategy, adapter })
      const browser = world.browser()
      await world.signInAtOp(browser)
      const cookie = browser.cookie("__Secure-authjs.session-token") ?? ""
      const rows = calls.filter(({ operation }) => operation === "createSession")
      expect(cookie.split(".").length).toBe(strategy === "jwt" ? 5 : 1)
      expect(rows.map(({ args }) => (args[0] as { sessionToken: string }).sessionToken)).toEqual(
        strategy === "jwt" ? [] : [cookie],
      )
      expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    }
  })

  it("chooses rows where there is an adapter, and the cookie where there is none [spec service 2] [spec options adapter]", async () => {
    for (const [adapter, parts] of [
      [undefined, 1],
      [false, 5],
    ] as const) {
      const world = await makeWorld(adapter === undefined ? {} : { adapter })
      const browser = world.browser()
      await world.signInAtOp(browser)
      expect(browser.cookie("__Secure-authjs.session-token")?.split(".")).toHaveLength(parts)
    }
  })

  it.each([
    ["GET", "providers", 200],
    ["GET", "csrf", 200],
    ["GET", "session", 200],
    ["POST", "session", 200],
    ["GET", "signin", 200],
    ["POST", "signin/op", 302],
    ["GET", "callback/op", 302],
    ["GET", "error", 200],
    ["GET", "verify-request", 200],
    ["GET", "webauthn-options/passkey", 200],
    ["GET", "signout", 200],
    ["POST", "signout", 302],
  ] as const)(
    "answers %s %s below its base path [spec service 3] [spec action names]",
    async (method, action, status) => {
      const config = { basePath: "/api/login", experimental: { enableWebAuthn: true } }
      const plain = await makeWorld()
      const world = await makeWorld({ config: { ...config, providers: [...plain.config.providers, Passkey] } })
      const browser = world.browser()
      const csrf = await browser.get("/api/login/csrf")
      const body = new URLSearchParams({ csrfToken: (JSON.parse(csrf.text) as { csrfToken: string }).csrfToken })
      const init = method === "POST" ? { method, body } : {}
      expect((await browser.send(`/api/login/${action}`, init)).status).toBe(status)
      expect((await browser.send(`/api/logic/${action}`, init)).status).toBe(404)
    },
  )

  it.each(["signup", "login", "user", "Session", "verify_request", ""])(
    "has no action %j [spec action names]",
    async (action) => {
      const { browser } = await makeWorld()
      for (const method of ["GET", "POST"])
        expect((await browser().send(`/auth/${action}`, { method })).status).toBe(404)
    },
  )

  it.each(["csrf", "error", "providers", "verify-request", "webauthn-options/op"])(
    "has no POST variant of %s, which changes nothing [spec action names]",
    async (action) => {
      const { browser } = await makeWorld()
      const { status } = await browser().send(`/auth/${action}`, { method: "POST" })
      expect([404, 405]).toContain(status)
    },
  )

  it("keeps users, accounts, sessions, tokens and authenticators in any adapter [spec service 4]", async () => {
    const { adapter, calls } = recordCalls(memoryAdapter())
    const plain = await makeWorld({ adapter })
    const providers = [...plain.config.providers, Passkey]
    const world = await makeWorld({ adapter, config: { providers, experimental: { enableWebAuthn: true } } })
    const authenticator = softwarePasskey()
    await plain.signInAtOp(plain.browser())
    const mailed = plain.browser()
    await plain.signInByMail(mailed, "ada@op.test")
    await mailed.post("/auth/signout")
    await passkeyCeremony(world.browser(), authenticator, { action: "register", email: "key@app.test" })
    const keyed = world.browser()
    await passkeyCeremony(keyed, authenticator, { action: "authenticate" })
    await keyed.session()
    expect([...plain.errors, ...world.errors]).toEqual([])
    expect([...new Set(calls.map(({ operation }) => operation))].sort()).toEqual(
      expect.arrayContaining([
        "createAuthenticator",
        "createSession",
        "createUser",
        "createVerificationToken",
        "deleteSession",
        "getAuthenticator",
        "getSessionAndUser",
        "getUserByAccount",
        "getUserByEmail",
        "linkAccount",
        "updateAuthenticatorCounter",
        "updateUser",
        "useVerificationToken",
      ]),
    )
  })

  it("uses the callbacks, events, logger, pages and theme of the application [spec service 5] [spec options callbacks] [spec options events] [spec options pages]", async () => {
    const world = await makeWorld({
      config: {
        callbacks: { signIn: ({ user }) => user.email !== "ada@op.test" },
        pages: { error: "/oops" },
        theme: { brandColor: "#123456" },
      },
    })
    const refused = await world.signInAtOp(world.browser())
    expect(refused.location).toBe("https://app.test/oops?error=AccessDenied")
    expect(world.events).toEqual([])
    expect(world.errors.map(({ name }) => name)).toEqual(["AccessDenied"])
    world.op.person = { ...world.op.person, sub: "2", email: "grace@op.test" }
    await world.signInAtOp(world.browser())
    expect(world.events.map(([name]) => name)).toContain("createUser")
    expect((await world.browser().get("/auth/signin")).text).toContain("--brand:#123456")
  })

  it("is a function from Request and configuration to Response, without any framework [spec service 6]", async () => {
    const request = new Request("https://app.test/auth/session")
    const response = await Auth(request, { providers: [], secret: worldSecret, trustHost: true })
    expect(response).toBeInstanceOf(Response)
    expect([response.status, await response.json()]).toEqual([200, null])
  })

  it("has providers with lower-case ids in kebab case, and accepts any other id [spec service 7]", async () => {
    for (const id of providerIds) expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(providerIds).toEqual(expect.arrayContaining(["apple", "github", "google", "microsoft-entra-id"]))
    const world = await makeWorld({ provider: { id: "my-own_idp.v2", name: "Mine" } })
    const browser = world.browser()
    const begun = await browser.post("/auth/signin/my-own_idp.v2")
    const back = world.op.authorize(begun.location ?? "")
    await browser.get(back.pathname + back.search)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })
})
