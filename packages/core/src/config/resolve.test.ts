import { afterEach, describe, expect, it, vi } from "vitest"
import type { AuthConfig } from "../types/config.js"
import { createCaches } from "./caches.js"
import { raw, skipCSRFCheck } from "./markers.js"
import { resolveSettings } from "./resolve.js"
import type { Settings } from "./settings.js"

const secret = "0123456789abcdef0123456789abcdef"
const caches = createCaches()
const github = {
  id: "github",
  name: "GitHub",
  type: "oauth",
  authorization: "https://github.com/login/oauth/authorize",
  token: "https://github.com/login/oauth/access_token",
  userinfo: "https://api.github.com/user",
} as const

interface Given {
  env?: Record<string, string>
  mount?: string
}
function resolveWith(config: object, { env = {}, mount }: Given = {}): Settings {
  const given = { env, caches, ...(mount !== undefined && { mount }) }
  return resolveSettings({ secret, providers: [], ...config } as AuthConfig, given)
}
/** As applications of JavaScript may write it. */
const resolveAnything = (config: unknown): Settings => resolveSettings(config as AuthConfig, { env: {}, caches })

function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const key of Reflect.ownKeys(value)) freezeDeep((value as Record<PropertyKey, unknown>)[key])
  return value
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe("defaults", () => {
  it("are those of the specification [spec limits session.maxAge] [spec limits session.updateAge] [spec options basePath] [spec options debug]", () => {
    const settings = resolveWith({})
    expect(settings).toMatchObject({
      basePath: "/auth",
      strategy: "jwt",
      sessionMaxAge: 2_592_000,
      sessionUpdateAge: 86_400,
      jwt: { secret, maxAge: 2_592_000, encode: undefined, decode: undefined },
      pages: {},
      theme: {},
      useSecureCookies: undefined,
      skipCsrfCheck: false,
      raw: false,
      webauthnEnabled: false,
      fixedOrigin: undefined,
      hostTrust: "loopback",
      problems: [],
      warnings: [],
    })
    expect(settings.providers.size).toBe(0)
    expect(settings.keyring.secrets).toEqual([secret])
    expect(settings.jwt.keyring).toBe(settings.keyring)
    expect(settings.store.isPresent).toBe(false)
  })

  it("make session tokens of 32 random bytes [spec options session.generateSessionToken]", () => {
    const { generateSessionToken } = resolveWith({})
    expect(generateSessionToken()).toMatch(/^[\da-f]{64}$/)
    expect(generateSessionToken()).not.toBe(generateSessionToken())
  })

  it("keep sessions in the store when there is one [spec service 2]", () => {
    expect(resolveWith({ adapter: {} }).strategy).toBe("database")
    expect(resolveWith({ adapter: {}, session: { strategy: "jwt" } }).strategy).toBe("jwt")
    expect(resolveWith({ adapter: {}, session: { strategy: undefined } }).strategy).toBe("database")
  })

  it("stand for members that are undefined or null", () => {
    const names =
      "adapter session jwt pages callbacks events debug logger theme useSecureCookies cookies trustHost skipCSRFCheck raw redirectProxyUrl experimental basePath"
    for (const value of [undefined, null]) {
      const settings = resolveWith(Object.fromEntries(names.split(" ").map((name) => [name, value])))
      expect(settings.problems).toEqual([])
      expect(settings).toMatchObject({ basePath: "/auth", strategy: "jwt", sessionMaxAge: 2_592_000 })
    }
    const inner = {
      session: { strategy: undefined, maxAge: undefined },
      pages: { signIn: undefined },
      theme: { logo: undefined },
      jwt: { maxAge: undefined, secret: undefined },
    }
    expect(resolveWith(inner)).toMatchObject({ problems: [], pages: {}, theme: {}, sessionMaxAge: 2_592_000 })
  })
})

describe("options", () => {
  it("are taken as they are", async () => {
    const encode = async () => ""
    const settings = resolveWith({
      session: { maxAge: 60, updateAge: 0, generateSessionToken: () => "own" },
      jwt: { maxAge: 30, encode, secret: ["another-secret-of-more-than-32-characters"] },
      pages: { signIn: "/login", error: "https://help.test/error", newUser: "" },
      theme: { brandColor: "#123456" },
      basePath: "/api/auth/",
      useSecureCookies: true,
      skipCSRFCheck,
      raw,
      trustHost: true,
      callbacks: { signIn: () => "/no" },
    })
    expect(settings).toMatchObject({
      sessionMaxAge: 60,
      sessionUpdateAge: 0,
      jwt: { maxAge: 30, encode, secret: "another-secret-of-more-than-32-characters" },
      pages: { signIn: "/login", error: "https://help.test/error" },
      theme: { brandColor: "#123456" },
      basePath: "/api/auth",
      useSecureCookies: true,
      skipCsrfCheck: true,
      raw: true,
      hostTrust: "always",
      problems: [],
    })
    expect(settings.pages).not.toHaveProperty("newUser")
    expect(settings.generateSessionToken()).toBe("own")
    expect(settings.jwt.keyring).not.toBe(settings.keyring)
    expect(await settings.callbacks.signIn({ user: {} })).toBe("/no")
  })

  it("know markers of another copy of the package by their description", () => {
    const settings = resolveWith({ skipCSRFCheck: Symbol("skip-csrf-check"), raw: Symbol("return-type-raw") })
    expect(settings).toMatchObject({ skipCsrfCheck: true, raw: true, problems: [] })
  })

  it("keep the lifetime of tokens with that of the session [spec options jwt]", () => {
    expect(resolveWith({ session: { maxAge: 60 } }).jwt.maxAge).toBe(60)
  })

  it("keep every secret, newest first", () => {
    const list = ["n".repeat(32), secret]
    const settings = resolveWith({ secret: list })
    expect(settings.keyring.secrets).toEqual(list)
    expect(settings.jwt.secret).toEqual(list)
  })

  it.each([
    [{}, {}, "/auth"],
    [{ basePath: "/x" }, { mount: "/m", env: { AUTH_URL: "https://app.test/y" } }, "/x"],
    [{}, { mount: "/m/", env: { AUTH_URL: "https://app.test/y" } }, "/m"],
    [{}, { env: { AUTH_URL: "https://app.test/y/" } }, "/y"],
    [{}, { env: { AUTH_URL: "https://app.test/" } }, "/auth"],
    [{ basePath: "/" }, {}, ""],
    [{ basePath: "api/auth" }, {}, "/api/auth"],
    [{ basePath: "/auth//" }, {}, "/auth"],
  ])("%j with %j give the base path %j [spec options basePath]", (config, given, expected) => {
    expect(resolveWith(config, given)).toMatchObject({ basePath: expected, problems: [] })
  })

  it("take the origin from AUTH_URL", () => {
    expect(resolveWith({}, { env: { AUTH_URL: "https://app.test/auth" } })).toMatchObject({
      fixedOrigin: "https://app.test",
      hostTrust: "always",
    })
  })

  it("take the redirect proxy from the environment [spec options redirectProxyUrl]", () => {
    const env = { AUTH_REDIRECT_PROXY_URL: "https://proxy.test/auth" }
    const provider = resolveWith({ providers: [github] }, { env }).providers.get("github")
    expect(provider).toMatchObject({ redirectProxyUrl: "https://proxy.test/auth", checks: ["pkce", "state"] })
  })

  it("find provider credentials in the environment", () => {
    const env = { AUTH_GITHUB_ID: "id", AUTH_GITHUB_SECRET: "hush" }
    expect(resolveWith({ providers: [github] }, { env }).providers.get("github")).toMatchObject({
      clientId: "id",
      clientSecret: "hush",
    })
  })
})

describe("what was handed in", () => {
  it("is never written to", () => {
    const config = freezeDeep({
      providers: [{ ...github, checks: ["pkce"], options: { client: { x: 1 } } }, () => github],
      secret: [secret],
      session: { maxAge: 60 },
      pages: { signIn: "/login" },
      cookies: { sessionToken: { options: { domain: "app.test" } } },
      callbacks: {},
      events: {},
      adapter: {},
      theme: {},
      logger: {},
      redirectProxyUrl: "https://proxy.test/auth",
    })
    const settings = resolveSettings(config as never, { env: Object.freeze({ AUTH_GITHUB_ID: "id" }), caches })
    expect(settings.problems.map(({ message }) => message)).toEqual([expect.stringContaining("no other provider has")])
    expect(settings.config).toBe(config)
  })

  it("is not frozen either", () => {
    const config = { providers: [{ ...github, checks: ["pkce"] }], secret, pages: {}, callbacks: {}, session: {} }
    resolveSettings(config as never, { env: {}, caches })
    for (const part of [config, config.providers, config.providers[0], config.providers[0]?.checks, config.pages]) {
      expect(Object.isFrozen(part)).toBe(false)
    }
  })

  it("gives settings that cannot be written to", () => {
    const settings = resolveWith({ pages: { signIn: "/x" } })
    for (const part of [settings, settings.pages, settings.theme, settings.jwt, settings.cookies, settings.problems]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })

  it("gains nothing from a polluted prototype [PP-16] [PP-05]", () => {
    const polluted: Record<string, unknown> = {
      skipCSRFCheck,
      raw,
      trustHost: true,
      debug: true,
      redirectProxyUrl: "https://evil.test",
      useSecureCookies: false,
      enableWebAuthn: true,
      allowDangerousEmailAccountLinking: true,
      allowInsecureRequests: true,
      AUTH_URL: "https://evil.test",
      AUTH_TRUST_HOST: "true",
      maxAge: 1,
      domain: "evil.test",
      issuer: "https://evil.test",
    }
    try {
      Object.assign(Object.prototype, polluted)
      const settings = resolveWith({ providers: [github], session: {}, cookies: {}, experimental: {} })
      expect(settings).toMatchObject({
        skipCsrfCheck: false,
        raw: false,
        hostTrust: "loopback",
        fixedOrigin: undefined,
        problems: [],
        sessionMaxAge: 2_592_000,
      })
      const { allowDangerousEmailAccountLinking, allowInsecureRequests, issuer, redirectProxyUrl } =
        settings.providers.get("github") as never as Record<string, unknown>
      expect([settings.useSecureCookies, settings.webauthnEnabled]).toEqual([undefined, false])
      expect([allowDangerousEmailAccountLinking, allowInsecureRequests, issuer, redirectProxyUrl]).toEqual([
        false,
        false,
        undefined,
        undefined,
      ])
      expect(Object.hasOwn(settings.cookies.secure.sessionToken.options, "domain")).toBe(false)
    } finally {
      for (const name of Object.keys(polluted)) delete (Object.prototype as never as Record<string, unknown>)[name]
    }
  })
})

describe("a configuration that cannot work", () => {
  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a text", "config"],
    ["a list", []],
    ["a function", () => ({ providers: [] })],
    ["a promise", Promise.resolve({ providers: [] })],
  ])("still gives settings: %s [CF2-11]", (_, config) => {
    const settings = resolveAnything(config)
    expect(settings.problems[0]?.message).toMatch(/^"config": expected an object, received/)
    expect(settings.basePath).toBe("/auth")
    expect(settings.cookies.plain.state.name).toBe("authjs.state")
    expect(() => settings.logger.debug("x")).not.toThrow()
  })

  it("still gives settings when a getter throws", () => {
    const broken = {
      secret,
      providers: [],
      get pages(): never {
        throw new Error("no")
      },
    }
    const settings = resolveAnything(broken)
    expect(settings.problems).toMatchObject([{ type: "InvalidConfiguration", cause: { err: { message: "no" } } }])
    expect(settings.config).toBe(broken)
  })

  it.each([["sqlite"], [() => ({})], [Promise.resolve({})]])("has no store over %s", (adapter) => {
    expect(resolveWith({ adapter, logger: "console", events: "none" }).store.isPresent).toBe(false)
  })

  it("has keys nobody else knows when there is no secret [CF2-10]", () => {
    const [first, second] = [resolveAnything({ providers: [] }), resolveAnything({ providers: [] })]
    expect(first.problems[0]).toMatchObject({ type: "MissingSecret" })
    expect(first.keyring.secrets[0]).toMatch(/^[\da-f]{64}$/)
    expect(first.keyring.secrets[0]).not.toBe(second.keyring.secrets[0])
  })

  it("logs with its own logger, without its secrets", () => {
    const told: string[] = []
    const settings = resolveWith({
      secret: "a-secret-of-the-application-itself-32",
      providers: [{ ...github, clientSecret: "a-client-secret" }],
      logger: { debug: (message: string) => told.push(message) },
    })
    settings.logger.debug("a-secret-of-the-application-itself-32 and a-client-secret")
    expect(told).toEqual(["[redacted] and [redacted]"])
  })
})
