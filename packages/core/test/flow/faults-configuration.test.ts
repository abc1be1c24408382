/** Configurations that are made again, changed or used at the same time. */
import { describe, expect, it } from "vitest"
import { customFetch } from "../../src/config/markers.js"
import { Auth, authOf, createAuth } from "../../src/engine/auth.js"
import { memoryAdapter } from "../../src/memory.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { Provider } from "../../src/types/provider.js"
import { openBrowser } from "../support/browser.js"
import { type FakeOp, openOp } from "../support/op.js"
import { worldSecret } from "../support/world.js"

const quiet = { error: () => undefined, warn: () => undefined, debug: () => undefined }

function configure(op: FakeOp, more: Partial<AuthConfig> = {}): AuthConfig {
  const { issuer, clientId, clientSecret, fetch } = op
  const provider = { id: "op", name: "OP", type: "oidc", issuer, clientId, clientSecret, [customFetch]: fetch }
  return {
    secret: worldSecret,
    trustHost: true,
    basePath: "/auth",
    logger: quiet,
    providers: [provider as Provider],
    ...more,
  }
}

describe("a configuration that is made anew for each request", () => {
  it.each(["Auth", "createAuth"] as const)(
    "asks the provider for its document once in 200 requests (%s)",
    async (entry) => {
      const op = await openOp({ issuer: `https://fresh-${entry.toLowerCase()}.test` })
      const handle = (request: Request): Promise<Response> =>
        entry === "Auth" ? Auth(request, configure(op)) : createAuth(configure(op), { env: {} }).handle(request)
      const begin = async (): Promise<string | undefined> =>
        (await openBrowser(handle).post("/auth/signin/op")).location
      for (let round = 0; round < 100; round++) expect(await begin()).toContain(`${op.issuer}/authorize`)
      await Promise.all(Array.from({ length: 100 }, begin))
      expect(op.callsOf("discovery")).toHaveLength(1)
    },
  )

  it("asks once when the first twenty arrive at once, whose failure is theirs and is not cached: the next ask again", {
    tags: ["threat:RC-25"],
  }, async () => {
    const op = await openOp({ issuer: "https://stampede.test" })
    op.faults.discovery = () => new Response("down", { status: 503 })
    const begin = async (): Promise<string> =>
      (await openBrowser((request) => Auth(request, configure(op))).post("/auth/signin/op")).location ?? ""
    const down = await Promise.all(Array.from({ length: 20 }, begin))
    for (const place of down) expect(place).toContain("error=OAuthSignin")
    expect(op.callsOf("discovery")).toHaveLength(1)
    op.faults = {}
    const places = await Promise.all(Array.from({ length: 20 }, begin))
    for (const place of places) expect(place).toContain("https://stampede.test/authorize")
    expect(op.callsOf("discovery")).toHaveLength(2)
  })

  it.each(["jwt", "database"] as const)(
    "opens what another one with the same secret sealed (%s)",
    {
      tags: ["threat:FP-22", "threat:RC-23"],
    },
    async (strategy) => {
      const op = await openOp()
      const more = { adapter: memoryAdapter(), session: { strategy } }
      const browser = openBrowser((request) => createAuth(configure(op, more), { env: {} }).handle(request))
      const begun = await browser.post("/auth/signin/op")
      await browser.get(op.authorize(begun.location ?? "").href)
      expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    },
  )
})

describe("a configuration that is changed", () => {
  it.each(["Auth", "authOf"] as const)(
    "takes effect at the next request if it is passed with each: basePath, secret, providers, session (%s)",
    async (entry) => {
      const op = await openOp()
      const config = configure(op)
      const handle = (request: Request): Promise<Response> =>
        entry === "Auth" ? Auth(request, config) : authOf(config).handle(request)
      const status = async (path: string): Promise<number> =>
        (await handle(new Request(`https://app.test${path}`))).status
      expect([await status("/auth/csrf"), await status("/login/csrf")]).toEqual([200, 404])
      config.basePath = "/login"
      expect([await status("/auth/csrf"), await status("/login/csrf")]).toEqual([404, 200])

      const browser = openBrowser(handle, { basePath: "/login" })
      const begun = await browser.post("/login/signin/op")
      expect(new URL(begun.location ?? "").searchParams.get("redirect_uri")).toBe("https://app.test/login/callback/op")
      await browser.get(op.authorize(begun.location ?? "").href)
      expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
      config.secret = "another-secret-of-at-least-32-characters"
      expect(await browser.session()).toBeNull()
      config.providers = []
      expect(await status("/login/signin/op")).toBe(404)
      config.session = { strategy: "database" }
      expect(await status("/login/session")).toBe(500)
      config.session.strategy = "jwt"
      expect(await status("/login/session")).toBe(200)
    },
  )

  it("does not change the object of createAuth", async () => {
    const config = configure(await openOp())
    const auth = createAuth(config, { env: {} })
    const status = async (path: string): Promise<number> =>
      (await auth.handle(new Request(`https://app.test${path}`))).status
    expect([await status("/auth/csrf"), await status("/login/csrf")]).toEqual([200, 404])
    config.basePath = "/login"
    config.providers = []
    expect([await status("/auth/csrf"), await status("/login/csrf")]).toEqual([200, 404])
    expect([auth.basePath, await status("/auth/signin/op")]).toEqual(["/auth", 200])
  })
})

describe("two configurations in one process", () => {
  it("are independent: sessions, checks, CSRF tokens, warnings", {
    tags: ["threat:SF-18", "threat:CK-34"],
  }, async () => {
    const [first, second] = [
      await openOp({ issuer: "https://one.test" }),
      await openOp({ issuer: "https://two.test", person: { sub: "b", name: "Bob", email: "bob@two.test" } }),
    ]
    const one = createAuth(configure(first, { adapter: memoryAdapter() }), { env: {} })
    const two = createAuth(configure(second, { secret: "another-secret-of-at-least-32-characters" }), { env: {} })
    const browser = openBrowser(one.handle)
    const other = openBrowser(two.handle)
    const begun = await browser.post("/auth/signin/op")
    // The cookies of one application are of no use at the other, whoever carries them there.
    for (const [name, { value }] of browser.jar) other.setCookie(name, value)
    const crossed = await other.get(first.authorize(begun.location ?? "").href)
    expect(crossed.location).toContain("error=OAuthCallbackError")
    expect(second.callsOf("token")).toEqual([])
    await browser.get(first.authorize(begun.location ?? "").href)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    const begunThere = await other.post("/auth/signin/op")
    await other.get(second.authorize(begunThere.location ?? "").href)
    expect(await other.session()).toMatchObject({ user: { name: "Bob" } })
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    other.setCookie("__Secure-authjs.session-token", browser.cookie("__Secure-authjs.session-token") ?? "")
    expect(await other.session()).toBeNull()
  })

  it("is never modified", async () => {
    const op = await openOp()
    const frozen = (value: unknown): unknown => {
      if (typeof value === "object" && value !== null && !(value instanceof RegExp)) Object.values(value).map(frozen)
      return Object.freeze(value)
    }
    const config = frozen(configure(op, { session: {}, callbacks: {}, events: {}, pages: {} })) as AuthConfig
    const browser = openBrowser(createAuth(config, { env: {} }).handle)
    const begun = await browser.post("/auth/signin/op")
    await browser.get(op.authorize(begun.location ?? "").href)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })
})
