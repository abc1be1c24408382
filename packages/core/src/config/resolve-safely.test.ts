import { describe, expect, it } from "vitest"
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
    for (const part of [
      settings,
      settings.pages,
      settings.theme,
      settings.jwt,
      settings.options,
      settings.cookies,
      settings.problems,
    ]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })

  it("gains nothing from a polluted prototype", { tags: ["threat:PP-16", "threat:PP-05"] }, () => {
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
      fallback: true,
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
        options: { "session.maxAge": 2_592_000 },
      })
      const { allowDangerousEmailAccountLinking, allowInsecureRequests, issuer, redirectProxyUrl } =
        settings.providers.get("github") as never as Record<string, unknown>
      expect([settings.options.useSecureCookies, settings.options["experimental.enableWebAuthn"]]).toEqual([
        undefined,
        false,
      ])
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
  ])("still gives settings: %s", { tags: ["threat:CF2-11"] }, (_, config) => {
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

  it("has random keys when there is no secret", { tags: ["threat:CF2-10"] }, () => {
    const [first, second] = [resolveAnything({ providers: [] }), resolveAnything({ providers: [] })]
    expect(first.problems[0]).toMatchObject({ type: "MissingSecret" })
    expect(first.keyring.secrets[0]).toMatch(/^[\da-f]{64}$/)
    expect(first.keyring.secrets[0]).not.toBe(second.keyring.secrets[0])
  })

  it("logs with its own logger, without its secrets", () => {
    const logged: string[] = []
    const settings = resolveWith({
      secret: "a-secret-of-the-application-itself-32",
      providers: [{ ...github, clientSecret: "a-client-secret" }],
      logger: { debug: (message: string) => logged.push(message) },
    })
    settings.logger.debug("a-secret-of-the-application-itself-32 and a-client-secret")
    expect(logged).toEqual(["[redacted] and [redacted]"])
  })
})
