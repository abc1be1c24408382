import { describe, expect, it, vi } from "vitest"
import { resolveWith } from "../../test/support/resolve-config.js"
import type { AuthConfig } from "../types/config.js"
import { applyEnvironment, hostTrustOf, setEnvDefaults } from "./environment.js"

describe("secrets of the environment", () => {
  it.each([
    [{ AUTH_SECRET: "a" }, ["a"]],
    [{ AUTH_SECRET: "a", AUTH_SECRET_1: "b", AUTH_SECRET_3: "d" }, ["d", "b", "a"]],
    [{ AUTH_SECRET: "  " }, undefined],
    [{ AUTH_SECRET: "a\n" }, ["a\n"]],
    [{}, undefined],
  ])("of %j are %j, newest first [spec authentication 1] [FP-16]", (env, expected) => {
    expect(applyEnvironment({}, env).secret).toEqual(expected)
  })

  it("give way to a configured one", () => {
    expect(applyEnvironment({ secret: "own" }, { AUTH_SECRET: "a" }).secret).toBe("own")
    expect(applyEnvironment({ secret: ["own"] }, { AUTH_SECRET: "a" }).secret).toEqual(["own"])
    for (const empty of [undefined, "", []]) {
      expect(applyEnvironment({ secret: empty }, { AUTH_SECRET: "a" }).secret).toEqual(["a"])
    }
  })
})

describe("trust in the host", () => {
  it.each([
    [{}, "loopback"],
    [{ NODE_ENV: "production" }, "never"],
    [{ NODE_ENV: "development" }, "always"],
    [{ NODE_ENV: "test" }, "always"],
    [{ NODE_ENV: "staging" }, "loopback"],
    [{ AUTH_TRUST_HOST: "true", NODE_ENV: "production" }, "always"],
    [{ AUTH_TRUST_HOST: "1", NODE_ENV: "production" }, "always"],
    [{ AUTH_TRUST_HOST: "true ", NODE_ENV: "production" }, "always"],
    [{ AUTH_TRUST_HOST: "TRUE", NODE_ENV: "production" }, "never"],
    [{ AUTH_TRUST_HOST: "True", NODE_ENV: "production" }, "never"],
    [{ AUTH_TRUST_HOST: "false", NODE_ENV: "production" }, "never"],
    [{ AUTH_TRUST_HOST: "0", NODE_ENV: "production" }, "never"],
    [{ AUTH_TRUST_HOST: "", NODE_ENV: "production" }, "never"],
    [{ AUTH_TRUST_HOST: "yes", NODE_ENV: "production" }, "never"],
    [{ AUTH_URL: "https://app.test", NODE_ENV: "production" }, "always"],
    [{ AUTH_URL: "", VERCEL: "1", NODE_ENV: "production" }, "always"],
    [{ CF_PAGES: "1", NODE_ENV: "production" }, "always"],
    [{ VERCEL: "", NODE_ENV: "production" }, "never"],
    [{ AUTH_TRUST_HOST: "false", VERCEL: "1", NODE_ENV: "production" }, "never"],
    [{ AUTH_TRUST_HOST: " 0 ", CF_PAGES: "1", NODE_ENV: "production" }, "never"],
    [{ AUTH_TRUST_HOST: "no", VERCEL: "1", NODE_ENV: "production" }, "always"],
    [{ AUTH_TRUST_HOST: "false", NODE_ENV: "development" }, "loopback"],
    [{ AUTH_TRUST_HOST: "false", VERCEL: "1" }, "loopback"],
    [{ AUTH_TRUST_HOST: "false", AUTH_URL: "https://app.test", NODE_ENV: "production" }, "always"],
  ] as const)("with %j is %s [spec authentication 2]", { tags: ["threat:HO-33"] }, (env, expected) => {
    expect(hostTrustOf(undefined, env)).toBe(expected)
  })

  it("is what the option says, whatever the environment [spec options trustHost]", () => {
    expect(hostTrustOf(true, { NODE_ENV: "production" })).toBe("always")
    expect(hostTrustOf(false, { AUTH_URL: "https://app.test", VERCEL: "1", NODE_ENV: "development" })).toBe("never")
  })
})

describe("AUTH_URL", () => {
  it.each([
    ["https://app.test", "https://app.test", ""],
    ["https://app.test/", "https://app.test", ""],
    ["https://app.test/api/auth/", "https://app.test", "/api/auth"],
    ["https://APP.test:443/x?y=1#z", "https://app.test", "/x"],
    [" http://localhost:3000 ", "http://localhost:3000", ""],
    ["https://app.test\n", "https://app.test", ""],
  ])("%s is read as %s and %j", { tags: ["threat:HO-32", "threat:FP-16"] }, (AUTH_URL, origin, path) => {
    expect(applyEnvironment({}, { AUTH_URL })).toMatchObject({ site: { origin, path }, invalidUrl: undefined })
  })

  it.each([
    ["app.test"],
    ["localhost:3000"],
    ["javascript:alert(1)"],
    ["ftp://app.test"],
    ["https://user:pa55@app.test"],
    ["https://pa55@app.test"],
    ["https:user:pa55@app.test"],
    ["https:\\\\user:pa55@app.test"],
    ["user:pa55@app.test"],
    ["//user:pa55@app.test"],
    ["https://user:pa55/word@app.test"],
    ["https://user:pa55 word@app.test"],
    [`https://user:pa55${"x".repeat(90)}@app.test`],
    ["https://a b"],
    ["//app.test"],
    ['"https://app.test"'],
    ["'https://app.test'"],
    ["https://app\\n.test"],
  ])("%s is a problem", { tags: ["threat:HO-32", "threat:FP-16", "threat:A-012"] }, (AUTH_URL) => {
    const { fixedOrigin, problems } = resolveWith({}, { env: { AUTH_URL } })
    expect(fixedOrigin).toBeUndefined()
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ type: "InvalidConfiguration" })
    expect(problems[0]?.message).toMatch(/"AUTH_URL": expected an absolute http\(s\) URL .+ received the string/)
    expect(problems[0]?.message).not.toContain("pa55")
  })

  it("is absent when it is blank", { tags: ["threat:FP-16"] }, () => {
    expect(applyEnvironment({}, { AUTH_URL: " " })).toEqual(applyEnvironment({}, {}))
  })
})

describe("setEnvDefaults", () => {
  const config = (rest: Partial<AuthConfig> = {}): AuthConfig => ({ providers: [], ...rest })

  it("writes what the environment says into the configuration", () => {
    const given = config()
    setEnvDefaults(
      {
        AUTH_URL: "https://app.test/api/auth",
        AUTH_SECRET: "a",
        AUTH_SECRET_1: "b",
        AUTH_REDIRECT_PROXY_URL: "https://proxy.test/auth",
      },
      given,
    )
    expect(given).toMatchObject({
      basePath: "/api/auth",
      secret: ["b", "a"],
      redirectProxyUrl: "https://proxy.test/auth",
      trustHost: true,
    })
  })

  it("leaves alone what is configured, and open what only a request can tell", () => {
    const given = config({ basePath: "/x", secret: "own", trustHost: false, redirectProxyUrl: "https://own.test" })
    setEnvDefaults({ AUTH_SECRET: "a", AUTH_REDIRECT_PROXY_URL: "https://proxy.test" }, given)
    expect(given).toMatchObject({
      basePath: "/x",
      secret: "own",
      trustHost: false,
      redirectProxyUrl: "https://own.test",
    })
    const open = config()
    setEnvDefaults({}, open)
    expect(open.trustHost).toBeUndefined()
    const shut = config()
    setEnvDefaults({ NODE_ENV: "production", AUTH_TRUST_HOST: "false" }, shut)
    expect(shut.trustHost).toBe(false)
  })

  it.each([
    ["https://app.test", "/auth"],
    ["https://app.test/", "/auth"],
    ["no address", "/auth"],
    ["https://app.test/x/", "/x"],
  ])("reads the base path of %s as %s", (AUTH_URL, expected) => {
    const given = config()
    setEnvDefaults({ AUTH_URL }, given)
    expect(given.basePath).toBe(expected)
  })

  it("warns when the base path is named twice, unless that warning is switched off", () => {
    const warn = vi.fn()
    const env = { AUTH_URL: "https://app.test/auth" }
    setEnvDefaults(env, config({ basePath: "/auth", logger: { warn } }))
    expect(warn).toHaveBeenCalledExactlyOnceWith("env-url-basepath-redundant")
    setEnvDefaults(env, config({ basePath: "/auth", logger: { warn } }), true)
    setEnvDefaults({ AUTH_URL: "https://app.test" }, config({ basePath: "/auth", logger: { warn } }))
    expect(warn).toHaveBeenCalledOnce()
  })

  it("does not warn of the base path that it filled itself, nor of one that differs", () => {
    const warn = vi.fn()
    const env = { AUTH_URL: "https://app.test/x" }
    const given = config({ logger: { warn } })
    setEnvDefaults(env, given)
    setEnvDefaults(env, given)
    setEnvDefaults(env, config({ basePath: "/y", logger: { warn } }))
    expect(warn).not.toHaveBeenCalled()
    setEnvDefaults(env, config({ basePath: "/x/", logger: { warn } }))
    expect(warn).toHaveBeenCalledOnce()
  })

  it("lets a service that is made of what it filled say nothing of the base path", () => {
    const env = { AUTH_URL: "https://app.test/x" }
    const codes = (...filled: (typeof env)[]): readonly string[] => {
      const given = config()
      for (const one of filled) setEnvDefaults(one, given)
      return resolveWith({ ...given }, { env }).warnings
    }
    expect(codes(env)).not.toContain("env-url-basepath-redundant")
    const own = resolveWith({ ...config(), basePath: "/x" }, { env }).warnings
    expect(own).toContain("env-url-basepath-redundant")
  })

  it("fills providers without writing to them", () => {
    const github = Object.freeze({ id: "git-hub", name: "GitHub", type: "oauth", clientSecret: "own" })
    const mail = Object.freeze({ id: "mail", name: "Mail", type: "email" })
    const made = vi.fn((options: object) => ({ id: "made", name: "Made", type: "oidc", options }))
    const given = config({ providers: [github, mail, made] as never })
    setEnvDefaults(
      {
        AUTH_GIT_HUB_ID: "id",
        AUTH_GIT_HUB_SECRET: "hidden",
        AUTH_GIT_HUB_ISSUER: "https://git.test",
        AUTH_MAIL_KEY: "key",
        AUTH_MAIL_ID: "no",
        AUTH_MADE_ID: "made-id",
      },
      given,
    )
    expect(given.providers).toEqual([
      { ...github, clientId: "id", issuer: "https://git.test" },
      { ...mail, apiKey: "key" },
      { id: "made", name: "Made", type: "oidc", clientId: "made-id", options: { clientId: "made-id" } },
    ])
    expect(made.mock.calls).toEqual([[{}], [{ clientId: "made-id" }]])
  })
})
