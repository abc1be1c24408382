/** The rules of authentication. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import type { AuthConfig } from "../../src/types/config.js"
import { openBrowser, type TestBrowser } from "../support/browser.js"
import { credentialsProvider, rightCredentials } from "../support/credentials.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { watched } from "../support/watched.js"
import { makeWorld, type World, type WorldOptions, worldSecret } from "../support/world.js"

const cookie = "__Secure-authjs.session-token"
const secret = "0".repeat(64)

/** A service of this configuration and environment, and what it logged. */
function serve(config: Partial<AuthConfig>, env: Record<string, string> = {}) {
  const logged: string[] = []
  const logger = {
    error: (error: Error) => void logged.push(error.name),
    warn: (code: string) => void logged.push(code),
  }
  const auth = createAuth({ providers: [], logger: { ...logger, debug: () => undefined }, ...config }, { env })
  return { logged, auth, browser: openBrowser(auth.handle) }
}

describe("the secret", () => {
  it.each([
    ["the configuration", { secret, trustHost: true }, {}, 200, []],
    ["the environment", { trustHost: true }, { AUTH_SECRET: secret }, 200, []],
    // Logged when the service is made, and for the request.
    ["nowhere", { trustHost: true }, {}, 500, ["MissingSecret", "MissingSecret"]],
    ["the environment, empty", { trustHost: true }, { AUTH_SECRET: "" }, 500, ["MissingSecret", "MissingSecret"]],
    ["a string that is too short", { secret: "short", trustHost: true }, {}, 200, ["secret-too-short"]],
  ] as const)("from %s [spec authentication 1]", async (_, config, env, status, expected) => {
    const { browser, logged } = serve(config, env)
    expect((await browser.get("/auth/csrf")).status).toBe(status)
    expect(logged).toEqual(expected)
  })
})

describe("the host", () => {
  it.each([
    ["not believed by itself", {}, {}, 500],
    ["believed with `trustHost`", { trustHost: true }, {}, 200],
    ["believed with AUTH_TRUST_HOST", {}, { AUTH_TRUST_HOST: "true" }, 200],
    ["not believed with another word", {}, { AUTH_TRUST_HOST: "yes" }, 500],
    ["not believed against the option", { trustHost: false }, { AUTH_TRUST_HOST: "true" }, 500],
    ["believed on a platform that sets it", {}, { VERCEL: "1" }, 200],
  ] as const)("is %s [spec authentication 2]", async (_, config, env, status) => {
    const { browser, logged } = serve({ secret, ...config }, env)
    expect((await browser.get("/auth/session")).status).toBe(status)
    expect(logged).toEqual(status === 200 ? [] : ["UntrustedHost"])
  })
})

const oauth = {
  type: "oauth",
  authorization: "https://op.test/authorize",
  token: "https://op.test/token",
  userinfo: "https://op.test/userinfo",
  profile: ({ sub, ...person }: { sub: string }) => ({ ...person, id: sub }),
}
const types: readonly [string, WorldOptions, (world: World, browser: TestBrowser) => Promise<unknown>][] = [
  ["oauth", { provider: oauth }, (world, browser) => world.signInAtOp(browser)],
  ["oidc", {}, (world, browser) => world.signInAtOp(browser)],
  ["email", {}, (world, browser) => world.signInByMail(browser, "ada@app.test")],
  [
    "credentials",
    { strategy: "jwt", more: [credentialsProvider()] },
    (_, browser) => browser.post("/auth/callback/credentials", rightCredentials),
  ],
  [
    "webauthn",
    { config: passkeyConfig },
    async (world, browser) => {
      const authenticator = softwarePasskey()
      await registerPasskey(world.browser(), authenticator, "ada@app.test")
      await signInByPasskey(browser, authenticator)
    },
  ],
]

it.each(types)("a provider of type %s signs people in [spec authentication 3]", async (_, options, signIn) => {
  const world = await makeWorld(options)
  const browser = world.browser()
  await signIn(world, browser)
  expect(await browser.session()).toMatchObject({ user: { email: expect.stringMatching(/^ada@/) } })
  expect(world.events.map(([name]) => name)).toContain("signIn")
})

describe("the checks of a sign-in at a provider", () => {
  const begin = async (options: WorldOptions) => {
    const world = await makeWorld(options)
    const browser = world.browser()
    const begun = await browser.post("/auth/signin/op")
    return { ...world, browser, url: new URL(begun.location ?? "") }
  }

  it.each([
    ["pkce by default", oauth, ["state", "code_challenge", "code_challenge_method"]],
    ["pkce by default for oidc", {}, ["state", "code_challenge", "code_challenge_method"]],
    ["state alone", { checks: ["state"] }, ["state"]],
    ["nonce", { checks: ["nonce"] }, ["state", "nonce"]],
    ["none", { checks: ["none"] }, []],
  ])("are %s [spec authentication 4]", async (_, provider, expected) => {
    const { url } = await begin({ provider })
    expect(url.origin + url.pathname).toBe("https://op.test/authorize")
    const sent = ["state", "nonce", "code_challenge", "code_challenge_method"].filter((name) =>
      url.searchParams.has(name),
    )
    expect(sent).toEqual(expected)
  })

  it.each([
    ["the state", ["state"], "authjs.state"],
    ["the verifier", ["pkce"], "authjs.pkce.code_verifier"],
    ["the nonce", ["nonce"], "authjs.nonce"],
  ])("refuse a response when %s is missing [spec authentication 4]", async (_, checks, name) => {
    const { url, browser, op, errors } = await begin({ provider: { checks } })
    browser.jar.delete(`__Secure-${name}`)
    const back = op.authorize(url)
    const visit = await browser.get(back.pathname + back.search)
    expect(visit.location).toMatch(/^https:\/\/app\.test\/auth\/signin\?error=OAuthCallbackError&incident=/)
    expect(errors.map((error) => error.name)).toEqual(["InvalidCheck"])
    expect(op.callsOf("token")).toEqual([])
  })

  it("include `state` with a redirect proxy [spec authentication 4]", async () => {
    const redirectProxyUrl = "https://proxy.test/auth"
    const { url, browser, op, errors } = await begin({ provider: { checks: ["pkce"] }, config: { redirectProxyUrl } })
    expect(url.searchParams.get("redirect_uri")).toBe(`${redirectProxyUrl}/callback/op`)
    const back = op.authorize(url)
    browser.jar.delete("__Secure-authjs.state")
    await browser.get(`/auth/callback/op${back.search}`)
    expect(errors.map((error) => error.name)).toEqual(["InvalidCheck"])
  })
})

it.each([
  ["off by default", {}, "https://app.test/auth/signin?error=OAuthAccountNotLinked"],
  [
    "off with `false`",
    { allowDangerousEmailAccountLinking: false },
    "https://app.test/auth/signin?error=OAuthAccountNotLinked",
  ],
  ["on with `true`", { allowDangerousEmailAccountLinking: true }, "https://app.test/"],
])(
  "linking by address is %s [spec authentication 5] [spec signin-page OAuthAccountNotLinked]",
  async (_, provider, expected) => {
    const world = await makeWorld({ provider })
    await world.signInByMail(world.browser(), "ada@op.test")
    const browser = world.browser()
    expect((await world.signInAtOp(browser)).location).toBe(expected)
    const isLinked = expected === "https://app.test/"
    expect((await browser.session()) !== null).toBe(isLinked)
    const owner = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "person-1" })
    expect(owner?.email).toBe(isLinked ? "ada@op.test" : undefined)
    expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
  },
)

it("a link carries token and address; what is stored is the hash with the secret, and an end [spec authentication 6]", async () => {
  const { adapter, callsOf } = watched()
  const { browser, mails } = await makeWorld({ config: { adapter } })
  const before = Date.now()
  await browser().post("/auth/signin/mail", { email: "ada@app.test" })
  const { searchParams } = new URL(mails[0]?.url ?? "")
  const token = searchParams.get("token") ?? ""
  expect(searchParams.get("email")).toBe("ada@app.test")
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token + worldSecret))
  const [stored] = (callsOf("createVerificationToken")[0]?.args ?? []) as unknown as [{ expires: Date }]
  expect(stored).toMatchObject({ identifier: "ada@app.test", token: Buffer.from(digest).toString("hex") })
  expect(stored.expires.getTime() - before).toBeGreaterThanOrEqual(3_600_000)
})

describe("the session cookie", () => {
  it.each([
    ["on https", "https://app.test", {}, "__Secure-authjs.session-token", true],
    ["on http", "http://app.test", {}, "authjs.session-token", false],
    ["with `useSecureCookies`", "http://app.test", { useSecureCookies: true }, "__Secure-authjs.session-token", true],
  ])(
    "is http-only %s, and secure where required [spec authentication 9] [spec authentication 12]",
    async (_, origin, more, name, isSecure) => {
      const { auth } = await makeWorld({
        strategy: "jwt",
        config: { providers: [credentialsProvider()], ...more },
        origin,
      })
      const source = { url: origin, headers: new Headers() }
      const { cookies } = await auth.signIn(source, "credentials", { fields: rightCredentials })
      const kept = cookies.find((entry) => entry.name === name)
      expect(kept?.options).toMatchObject({ httpOnly: true, secure: isSecure, sameSite: "lax", path: "/" })
    },
  )

  it.each(["jwt", "database"] as const)(
    "carries the session, no header does: %s strategy [spec authentication 10]",
    async (strategy) => {
      const { browser, signInAtOp } = await makeWorld({ strategy })
      const person = browser()
      await signInAtOp(person)
      const token = person.cookie(cookie) ?? ""
      const stranger = browser()
      for (const scheme of ["Bearer", "DPoP", "Basic"]) {
        expect((await stranger.get("/auth/session", { authorization: `${scheme} ${token}` })).text).toBe("null")
      }
      stranger.setCookie(cookie, token)
      expect(await stranger.session()).not.toBeNull()
    },
  )

  it("is a token of the algorithms that existing applications use [spec authentication 12]", async () => {
    const { browser, signInAtOp } = await makeWorld({ strategy: "jwt" })
    const person = browser()
    await signInAtOp(person)
    const [header = ""] = (person.cookie(cookie) ?? "").split(".")
    expect(JSON.parse(Buffer.from(header, "base64url").toString())).toMatchObject({ alg: "dir", enc: "A256CBC-HS512" })
  })
})

it("a guard of the application reads the session, and the service protects no route itself [spec authentication 11]", async () => {
  const { auth, browser, signInAtOp } = await makeWorld()
  const person = browser()
  const asked = async () => {
    const headers = new Headers({ cookie: `${cookie}=${person.cookie(cookie) ?? ""}` })
    return (await auth.session({ url: "https://app.test/inside", headers })).session
  }
  expect(await asked()).toBeNull()
  expect(auth.isOwn("/inside")).toBe(false)
  await signInAtOp(person, { callbackUrl: "https://evil.test/inside" })
  expect(await asked()).toMatchObject({ user: { name: "Ada" } })
  expect(person.cookie("__Secure-authjs.callback-url")).not.toContain("evil")
})
