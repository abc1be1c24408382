import { describe, expect, it } from "vitest"
import { resolveWith, secret } from "../../test/support/resolve-config.js"
import { raw, skipCSRFCheck } from "./markers.js"

const github = {
  id: "github",
  name: "GitHub",
  type: "oauth",
  authorization: "https://github.com/login/oauth/authorize",
  token: "https://github.com/login/oauth/access_token",
  userinfo: "https://api.github.com/user",
} as const

describe("a cookie whose name asks for Secure", () => {
  const cookies = { sessionToken: { name: "__Secure-sid" } }
  const isSecure = (rest: object, env = {}): readonly unknown[] => {
    const settings = resolveWith({ cookies, ...rest }, { env })
    return [settings.cookies.plain.sessionToken.options.secure, settings.problems.length]
  }

  it("has it over http where the scheme is open, and is a problem where it is http", () => {
    expect(isSecure({})).toEqual([true, 0])
    expect(isSecure({ useSecureCookies: false })).toEqual([false, 1])
    expect(isSecure({}, { AUTH_URL: "http://app.test" })).toEqual([false, 1])
  })
})

describe("defaults", () => {
  it("are those of the specification [spec limits session.maxAge] [spec limits session.updateAge] [spec options basePath] [spec options debug]", () => {
    const settings = resolveWith({})
    expect(settings).toMatchObject({
      basePath: "/auth",
      strategy: "jwt",
      options: {
        "session.maxAge": 2_592_000,
        "session.updateAge": 86_400,
        "session.overallMaxAge": undefined,
        "session.generateSessionToken": undefined,
        "session.verifyUser": undefined,
        "jwt.maxAge": 2_592_000,
        "jwt.encode": undefined,
        "jwt.decode": undefined,
        useSecureCookies: undefined,
        debug: false,
        "experimental.enableWebAuthn": false,
      },
      jwt: { secret },
      pages: {},
      theme: {},
      skipCsrfCheck: false,
      raw: false,
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

  it("keep sessions in the store when there is one [spec service 2]", () => {
    expect(resolveWith({ adapter: {} }).strategy).toBe("database")
    expect(resolveWith({ adapter: {}, session: { strategy: "jwt" } }).strategy).toBe("jwt")
    expect(resolveWith({ adapter: {}, session: { strategy: undefined } }).strategy).toBe("database")
  })

  it("stand for members that are undefined or null", () => {
    const names =
      "adapter session jwt pages callbacks events debug logger theme useSecureCookies cookies trustHost skipCSRFCheck raw redirectProxyUrl redirectProxyOrigins experimental basePath"
    for (const value of [undefined, null]) {
      const settings = resolveWith(Object.fromEntries(names.split(" ").map((name) => [name, value])))
      expect(settings.problems).toEqual([])
      expect(settings).toMatchObject({ basePath: "/auth", strategy: "jwt", options: { "session.maxAge": 2_592_000 } })
    }
    const inner = {
      session: { strategy: undefined, maxAge: undefined },
      pages: { signIn: undefined },
      theme: { logo: undefined },
      jwt: { maxAge: undefined, secret: undefined },
    }
    expect(resolveWith(inner)).toMatchObject({
      problems: [],
      pages: {},
      theme: {},
      options: { "session.maxAge": 2_592_000 },
    })
  })
})

describe("options", () => {
  it("are taken as they are", async () => {
    const encode = async () => ""
    const generateSessionToken = () => "own"
    const settings = resolveWith({
      session: { maxAge: 60, updateAge: 0, generateSessionToken },
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
      options: {
        "session.maxAge": 60,
        "session.updateAge": 0,
        "session.generateSessionToken": generateSessionToken,
        "jwt.maxAge": 30,
        "jwt.encode": encode,
        useSecureCookies: true,
      },
      jwt: { secret: "another-secret-of-more-than-32-characters" },
      pages: { signIn: "/login", error: "https://help.test/error" },
      theme: { brandColor: "#123456" },
      basePath: "/api/auth",
      skipCsrfCheck: true,
      raw: true,
      hostTrust: "always",
      problems: [],
    })
    expect(settings.pages).not.toHaveProperty("newUser")
    expect(settings.jwt.keyring).not.toBe(settings.keyring)
    expect(await settings.callbacks.signIn({ user: {} })).toBe("/no")
  })

  it("know markers of another copy of the package by their description", () => {
    const settings = resolveWith({ skipCSRFCheck: Symbol("skip-csrf-check"), raw: Symbol("return-type-raw") })
    expect(settings).toMatchObject({ skipCsrfCheck: true, raw: true, problems: [] })
  })

  it("keep the lifetime of tokens with that of the session [spec options jwt]", () => {
    expect(resolveWith({ session: { maxAge: 60 } }).options["jwt.maxAge"]).toBe(60)
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
  ])("%j with %j give the base path %j [PA-12] [spec options basePath]", (config, given, expected) => {
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

  it("have no redirect proxy where it is empty", () => {
    const provider = resolveWith({ providers: [github], redirectProxyUrl: "" }).providers.get("github")
    expect(provider).toMatchObject({ redirectProxyUrl: undefined, checks: ["pkce"] })
  })

  it("find provider credentials in the environment", () => {
    const env = { AUTH_GITHUB_ID: "id", AUTH_GITHUB_SECRET: "hush" }
    expect(resolveWith({ providers: [github] }, { env }).providers.get("github")).toMatchObject({
      clientId: "id",
      clientSecret: "hush",
    })
  })
})

describe("warnings", () => {
  it("say that debug is on, unless a logger makes that irrelevant [spec options debug]", {
    tags: ["threat:CF2-16"],
  }, () => {
    expect(resolveWith({ debug: true }).warnings).toEqual(["debug-enabled"])
    expect(resolveWith({ debug: true }, { env: { NODE_ENV: "production" } }).warnings).toContain("debug-enabled")
    expect(resolveWith({ debug: true, logger: {} }).warnings).toEqual([])
  })

  it("name the providers whose callbacks are not checked at all [spec provider checks]", {
    tags: ["threat:B9-02"],
  }, () => {
    const providers = [
      { ...github, id: "a", checks: ["none"] },
      { ...github, id: "b", checks: [] },
      { ...github, id: "c", checks: ["none", "state"] },
      github,
    ]
    const { warnings, warningDetails } = resolveWith({ providers })
    expect([warnings, warningDetails]).toEqual([["nothing-checked"], { "nothing-checked": 'Providers: "a", "b".' }])
    // A redirect proxy forces the state.
    expect(resolveWith({ providers, redirectProxyUrl: "https://proxy.test/auth" }).warnings).not.toContain(
      "nothing-checked",
    )
  })

  it.each([
    [{ basePath: "/auth" }, "https://app.test/auth", ["env-url-basepath-redundant"]],
    [{ basePath: "/auth/" }, "https://app.test/auth/", ["env-url-basepath-redundant"]],
    [{ basePath: "/auth" }, "https://app.test/other", ["env-url-basepath-mismatch"]],
    [{ basePath: "/auth" }, "https://app.test", []],
    [{}, "https://app.test/other", []],
  ])("tell of %j beside AUTH_URL %s: %j", (config, AUTH_URL, expected) => {
    expect(resolveWith(config, { env: { AUTH_URL } }).warnings).toEqual(expected)
  })

  it("do not count a mount as a second setting", () => {
    const env = { AUTH_URL: "https://app.test/auth" }
    expect(resolveWith({}, { env, mount: "/auth" }).warnings).toEqual([])
    const other = resolveWith({}, { env, mount: "/other" })
    expect(other.warnings).toEqual(["env-url-basepath-mismatch"])
  })

  it.each([
    [true, "http://app.test", ["secure-cookies-mismatch"]],
    [false, "https://app.test", ["secure-cookies-mismatch"]],
    [true, "https://app.test", []],
    [false, "http://app.test", []],
    [undefined, "https://app.test", []],
  ])(
    "say that secure cookies (%s) do not match %s",
    { tags: ["threat:CK-02"] },
    (useSecureCookies, AUTH_URL, expected) => {
      expect(resolveWith({ useSecureCookies }, { env: { AUTH_URL } }).warnings).toEqual(expected)
    },
  )
})
