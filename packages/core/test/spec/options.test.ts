/** Options of the configuration: what each does to a whole application, and what holds without it. */
import { skipCSRFCheck } from "@latchkey/core"
import { describe, expect, it, vi } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { settingsOf } from "../../src/engine/service.js"
import { memoryAdapter } from "../../src/memory.js"
import Passkey from "../../src/providers/passkey.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { TestBrowser } from "../support/browser.js"
import { givenTo, recordCalls } from "../support/recorder.js"
import { makeWorld, type World, type WorldOptions, worldSecret } from "../support/world.js"

const cookie = "__Secure-authjs.session-token"

async function signedIn(options: WorldOptions = {}): Promise<{ world: World; browser: TestBrowser }> {
  const world = await makeWorld(options)
  const browser = world.browser()
  await world.signInAtOp(browser)
  return { world, browser }
}

describe("the option", () => {
  it("providers is an empty list by default [spec options providers]", async () => {
    const auth = createAuth({ secret: worldSecret, trustHost: true } as AuthConfig, { env: {} })
    const response = await auth.handle(new Request("https://app.test/auth/providers"))
    expect([response.status, await response.json()]).toEqual([200, {}])
  })

  it("adapter is only required by what stores data [spec options adapter]", async () => {
    const { browser, world } = await signedIn({ adapter: false })
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    const providers = [{ id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => undefined }] as const
    const mailed = await makeWorld({ adapter: false, config: { providers: [...providers] } })
    const asked = await mailed.browser().post("/auth/signin/mail", { email: "ada@app.test" })
    expect(asked.location).toContain("error=Configuration")
    expect([world.errors, mailed.errors[0]?.name]).toEqual([[], "MissingAdapter"])
    const stored = await makeWorld({ config: { providers: [...providers] } })
    const sent = await stored.browser().post("/auth/signin/mail", { email: "ada@app.test" })
    expect([sent.location, stored.errors]).toEqual([expect.stringContaining("/auth/verify-request"), []])
  })

  it.each([
    [undefined, "/auth"],
    ["/api/auth", "/api/auth"],
    ["/", ""],
  ])("basePath %s makes the service answer below %j [spec options basePath]", async (basePath, expected) => {
    const world = await makeWorld({ config: basePath === undefined ? {} : { basePath } })
    expect((await world.browser().get(`${expected}/providers`)).status).toBe(200)
    expect((await world.browser().get("/elsewhere/providers")).status).toBe(404)
  })

  it("secret may be a list: the first one seals, each one opens [spec options secret]", async () => {
    const [old, fresh] = ["o".repeat(32), "f".repeat(32)]
    const strategy = "jwt"
    const { browser } = await signedIn({ strategy, config: { secret: old } })
    const token = browser.cookie(cookie) ?? ""
    const sees = async (secret: string | string[], value: string): Promise<boolean> => {
      const other = (await makeWorld({ strategy, config: { secret } })).browser()
      other.setCookie(cookie, value)
      return (await other.session()) !== null
    }
    expect([await sees([fresh, old], token), await sees([fresh], token)]).toEqual([true, false])
    const rotated = await signedIn({ strategy, config: { secret: [fresh, old] } })
    const newer = rotated.browser.cookie(cookie) ?? ""
    expect([await sees(fresh, newer), await sees(old, newer)]).toEqual([true, false])
  })

  it("session.strategy may be jwt beside an adapter, and database only with one [spec options session.strategy]", async () => {
    const { browser } = await signedIn({ strategy: "jwt" })
    expect(browser.cookie(cookie)?.split(".")).toHaveLength(5)
    const without = await makeWorld({ adapter: false, strategy: "database" })
    expect((await without.browser().get("/auth/session")).status).toBe(500)
  })

  it("session.generateSessionToken makes the look-up value, else it is random hex [spec options session.generateSessionToken]", async () => {
    const session = { generateSessionToken: () => "made-by-hand" }
    expect((await signedIn({ config: { session } })).browser.cookie(cookie)).toBe("made-by-hand")
    const provider = { emailVerified: () => true }
    expect((await signedIn({ provider })).browser.cookie(cookie)).toMatch(/^[\da-f]{64}$/)
  })

  it("jwt may replace the sealing; by default the token is encrypted [spec options jwt]", async () => {
    const sealed = (await signedIn({ adapter: false })).browser.cookie(cookie) ?? ""
    const header: unknown = JSON.parse(Buffer.from(sealed.split(".")[0] ?? "", "base64url").toString())
    expect(header).toMatchObject({ alg: "dir", enc: "A256CBC-HS512" })
    expect(Buffer.from(sealed, "base64url").toString("latin1")).not.toContain("Ada")
    const jwt: AuthConfig["jwt"] = {
      encode: ({ token }) => Buffer.from(JSON.stringify(token)).toString("base64url"),
      decode: ({ token = "" }) => JSON.parse(Buffer.from(token, "base64url").toString()),
    }
    const { browser } = await signedIn({ adapter: false, config: { jwt } })
    expect(browser.cookie(cookie)).toMatch(/^[\w-]+$/)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })

  it("callbacks, events and theme may be missing [spec options callbacks] [spec options events] [spec options theme]", async () => {
    const bare = { callbacks: undefined, events: undefined, theme: undefined } satisfies Partial<AuthConfig>
    const { browser, world } = await signedIn({ config: bare })
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    expect([world.events, world.errors]).toEqual([[], []])
    const themed = await makeWorld({ config: { theme: { colorScheme: "dark", logo: "/logo.svg" } } })
    const page = (await themed.browser().get("/auth/signin")).text
    expect([page.includes('data-scheme="dark"'), page.includes('src="/logo.svg"')]).toEqual([true, true])
    expect((await world.browser().get("/auth/signin")).text).toContain('data-scheme="auto"')
  })

  it("callbacks and events are called [spec options callbacks] [spec options events]", async () => {
    const reported: string[] = []
    const config: Partial<AuthConfig> = {
      callbacks: { session: ({ session }) => ({ ...session, tenant: { id: 1 } }) },
      events: { createUser: ({ user }) => void reported.push(String(user.name)) },
    }
    const { browser } = await signedIn({ config })
    expect([await browser.session(), reported]).toMatchObject([{ tenant: { id: 1 } }, ["Ada"]])
  })

  it.each([
    [false, 500, []],
    [true, 200, ["experimental-webauthn"]],
  ] as const)(
    "experimental.enableWebAuthn %s lets passkeys answer %i [spec options experimental.enableWebAuthn]",
    async (enableWebAuthn, status, warnings) => {
      const world = await makeWorld({ config: { providers: [Passkey], experimental: { enableWebAuthn } } })
      expect((await world.browser().get("/auth/webauthn-options/passkey")).status).toBe(status)
      expect(world.warnings).toEqual([...warnings])
    },
  )

  it.each([
    [{ redirectProxyUrl: "https://proxy.test/auth" }, {}],
    [{}, { AUTH_REDIRECT_PROXY_URL: "https://proxy.test/auth" }],
  ])(
    "redirectProxyUrl %j, environment %j, receives callbacks and adds the state check [spec options redirectProxyUrl]",
    async (config, env) => {
      const world = await makeWorld({ config, env })
      const browser = world.browser()
      const { location = "" } = await browser.post("/auth/signin/op")
      const { searchParams } = new URL(location)
      expect(searchParams.get("redirect_uri")).toBe("https://proxy.test/auth/callback/op")
      expect(settingsOf(world.auth)?.providers.get("op")).toMatchObject({ checks: ["pkce", "state"] })
      const back = world.op.authorize(location, { state: undefined })
      expect((await browser.get(`/auth/callback/op${back.search}`)).location).toContain("error=")
    },
  )

  it("skipCSRFCheck accepts forms without their token [spec options skipCSRFCheck]", async () => {
    const post = async (config: Partial<AuthConfig>) =>
      (await makeWorld({ config })).browser().post("/auth/signin/op", {}, { csrf: false })
    expect((await post({})).location).toContain("error=")
    expect((await post({ skipCSRFCheck })).location).toMatch(/^https:\/\/op\.test\/authorize/)
    for (const other of [Symbol("mine"), true]) {
      expect((await post({ skipCSRFCheck: other as symbol })).location).toContain("error=")
    }
  })

  it("trustHost has to be true, unless the platform is known to set the header [spec options trustHost]", async () => {
    const ask = async (trustHost: boolean | undefined, env: Record<string, string>): Promise<number> =>
      (await makeWorld({ config: { trustHost }, env }))
        .browser()
        .get("/auth/providers")
        .then(({ status }) => status)
    const production = { NODE_ENV: "production" }
    expect([await ask(true, production), await ask(undefined, { ...production, VERCEL: "1" })]).toEqual([200, 200])
    expect(await ask(undefined, production)).not.toBe(200)
    expect(await ask(false, { VERCEL: "1" })).not.toBe(200)
  })

  it.each([
    [undefined, "https://app.test", true],
    [undefined, "http://app.test", false],
    [false, "https://app.test", false],
    [true, "http://localhost:3000", true],
  ])(
    "useSecureCookies %s at %s makes them secure: %s [spec options useSecureCookies]",
    async (useSecureCookies, origin, isSecure) => {
      const world = await makeWorld({ origin, config: { useSecureCookies } })
      const { headers } = await world.browser().get("/auth/csrf")
      const [line = ""] = headers.getSetCookie()
      expect([line.startsWith("__Host-"), /; Secure/i.test(line)]).toEqual([isSecure, isSecure])
    },
  )

  it("session.maxAge and session.updateAge say how long and how often [spec options session.maxAge] [spec options session.updateAge]", async () => {
    const start = new Date("2026-03-01T12:00:00.000Z")
    const at = (seconds: number) => vi.setSystemTime(start.getTime() + seconds * 1000)
    vi.useFakeTimers({ toFake: ["Date"], now: start })
    try {
      for (const session of [{}, { maxAge: 100, updateAge: 10 }, { maxAge: 100, updateAge: 0 }]) {
        const { maxAge = 2_592_000, updateAge = 86_400 } = session
        const { adapter, calls } = recordCalls(memoryAdapter())
        at(0)
        const { browser } = await signedIn({ adapter, config: { session } })
        const isExtended = async (seconds: number): Promise<boolean> => {
          const before = calls.length
          at(seconds)
          expect(await browser.session()).not.toBeNull()
          return calls.slice(before).some(({ operation }) => operation === "updateSession")
        }
        expect(givenTo(calls, "createSession").expires).toEqual(new Date(start.getTime() + maxAge * 1000))
        if (updateAge > 0) expect(await isExtended(updateAge - 1)).toBe(false)
        expect(await isExtended(updateAge + 1)).toBe(true)
        if (updateAge === 0) expect(await isExtended(updateAge + 1)).toBe(true)
        at(updateAge + 1 + maxAge)
        expect(await browser.session()).toBeNull()
      }
    } finally {
      vi.useRealTimers()
    }
  })
})
