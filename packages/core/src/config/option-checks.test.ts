import { describe, expect, it } from "vitest"
import { settingsOf } from "../../test/support/facts.js"
import { resolveWith, secret } from "../../test/support/resolve-config.js"
import { readFlags } from "./option-checks.js"

describe("kinds of values", () => {
  it.each([
    ["adapter", "sqlite"],
    ["adapter", () => ({})],
    ["adapter", Promise.resolve({})],
    ["trustHost", "often"],
    ["useSecureCookies", "yes"],
    ["debug", "loud"],
    ["session", "jwt"],
    ["jwt", []],
    ["pages", "/login"],
    ["theme", "dark"],
    ["callbacks", () => true],
    ["events", []],
    ["logger", "console"],
    ["experimental", true],
    ["raw", true],
    ["cookies", []],
    ["providers", {}],
    ["basePath", 5],
    ["basePath", "https://app.test/auth"],
    ["basePath", "/auth?x"],
    ["basePath", "/auth#x"],
    ["basePath", "/a/../b"],
    ["basePath", "/a b"],
    ["basePath", "/a\\b"],
    ["basePath", "/a//b"],
    ["basePath", "/für"],
    ["redirectProxyUrl", "proxy.test"],
    ["redirectProxyUrl", "javascript:alert(1)"],
    ["redirectProxyUrl", "https://user:pass@proxy.test"],
    ["redirectProxyOrigins", "https://a.test"],
    ["redirectProxyOrigins", ["a.test"]],
    ["redirectProxyOrigins", ["https://a.test/auth"]],
    ["redirectProxyOrigins", ["https://user:pass@a.test"]],
    ["redirectProxyOrigins", ["https://*"]],
    ["redirectProxyOrigins", ["https://*.com"]],
    ["redirectProxyOrigins", ["https://pr-*.a.test"]],
    ["redirectProxyOrigins", ["https://a.*.a.test"]],
    ["redirectProxyOrigins", ["https://*.*.a.test"]],
    ["redirectProxyOrigins", ["ftp://a.test"]],
    ["redirectProxyOrigins", [5]],
  ])("%s: %s is a problem that says what to do", { tags: ["threat:PA-12"] }, (option, value) => {
    const { problems } = resolveWith({ [option]: value })
    expect(problems[0]).toMatchObject({ type: "InvalidConfiguration" })
    expect(problems[0]?.message).toMatch(new RegExp(`^"${option}": expected .+, received .+\\. .+\\.$`))
  })

  it.each([
    ["session.strategy", { session: { strategy: "cookie" } }],
    ["session.generateSessionToken", { session: { generateSessionToken: "x" } }],
    ["jwt.encode", { jwt: { encode: "x" } }],
    ["jwt.decode", { jwt: { decode: {} } }],
    ["callbacks.signIn", { callbacks: { signIn: true } }],
    ["events.createUser", { events: { createUser: [] } }],
    ["logger.error", { logger: { error: "x" } }],
    ["theme.colorScheme", { theme: { colorScheme: "blue" } }],
    ["theme.logo", { theme: { logo: {} } }],
    ["pages.signIn", { pages: { signIn: "javascript:alert(1)" } }],
    ["pages.error", { pages: { error: "data:text/html,<script>alert(1)</script>" } }],
    ["pages.newUser", { pages: { newUser: "vbscript:x" } }],
    ["pages.error", { pages: { error: "/e\nrror" } }],
    ["pages.newUser", { pages: { newUser: 5 } }],
    ["pages.signOut", { pages: { signOut: "https://user:pass@app.test/" } }],
    ["experimental.enableWebAuthn", { experimental: { enableWebAuthn: "yes" } }],
  ])("%s is checked", { tags: ["threat:A-105"] }, (option, config) => {
    expect(resolveWith(config).problems[0]?.message).toContain(`"${option}": expected`)
  })

  it("may be classes where methods are required", () => {
    class Callbacks {
      signIn() {
        return true
      }
    }
    expect(resolveWith({ callbacks: new Callbacks(), adapter: new (class {})() }).problems).toEqual([])
  })

  it("may be foreign pages, because the application wrote them", { tags: ["threat:CF2-15"] }, () => {
    const pages = { signIn: "https://login.test/x", error: "/e?x=1#y", verifyRequest: "check", newUser: "//cdn.test/w" }
    expect(resolveWith({ pages }).problems).toEqual([])
  })
})

describe("numbers", () => {
  const absurd = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e15, 2_592_000_000, "3600", true, {}]
  it.each(absurd.flatMap((value) => [["session", "maxAge", value] as const, ["jwt", "maxAge", value] as const]))(
    "%s.%s: %s is a problem, and the default is used",
    { tags: ["threat:SF-12"] },
    (group, name, value) => {
      const settings = resolveWith({ [group]: { [name]: value } })
      expect(settings.problems[0]?.message).toMatch(
        new RegExp(`^"${group}\\.${name}": expected a number of seconds from 1 to 315360000, received `),
      )
      expect([settings.options["session.maxAge"], settings.options["jwt.maxAge"]]).toEqual([2_592_000, 2_592_000])
    },
  )

  it.each([[-1], [Number.NaN], [Number.POSITIVE_INFINITY], ["0"]])(
    "session.updateAge: %s is a problem",
    { tags: ["threat:SF-12"] },
    (updateAge) => {
      expect(resolveWith({ session: { updateAge } })).toMatchObject({
        problems: [{ type: "InvalidConfiguration" }],
        options: { "session.updateAge": 86_400 },
      })
    },
  )

  it("may be fractions, which arithmetic makes, and zero where it says something [spec limits session.updateAge]", () => {
    expect(resolveWith({ session: { maxAge: 90.5, updateAge: 0 } })).toMatchObject({
      options: { "session.maxAge": 90, "session.updateAge": 0 },
      problems: [],
    })
  })
})

describe("flags given as strings", () => {
  it.each([
    ["true", true],
    ["1", true],
    [" TRUE ", true],
    ["false", false],
    ["0", false],
    ["", undefined],
  ])("reads %j", (text, meaning) => {
    expect(readFlags({ debug: text, trustHost: text, useSecureCookies: text })).toEqual({
      debug: meaning,
      trustHost: meaning,
      useSecureCookies: meaning,
    })
  })

  it.each(["yes", "loud", "constructor", 1, null])("leaves %j to the check", (value) => {
    expect(readFlags({ debug: value })).toEqual({ debug: value })
  })

  it("never trusts a host because of the string false", () => {
    expect(settingsOf({ trustHost: "false" as never }).hostTrust).toBe("never")
    expect(settingsOf({ trustHost: "true" as never }).hostTrust).toBe("always")
    expect(settingsOf({ trustHost: "" as never }, { NODE_ENV: "production" }).hostTrust).toBe("never")
  })
})

describe("a plain option, read", () => {
  const encode = () => "token"

  it("has the value that is of its kind, also inside of a group", () => {
    const { options } = resolveWith({ useSecureCookies: false, session: { strategy: "jwt" }, jwt: { encode } })
    expect(options).toMatchObject({ useSecureCookies: false, "session.strategy": "jwt", "jwt.encode": encode })
  })

  it.each([
    {},
    { session: null },
    { session: { strategy: null } },
    { session: { strategy: "memory" } },
    { session: "jwt" },
  ])("has its default where it is absent or not of its kind: %j", (config) => {
    const { options } = resolveWith(config)
    expect([options["session.strategy"], options["session.maxAge"]]).toEqual([undefined, 2_592_000])
  })

  it("has nothing that is inherited", { tags: ["threat:PP-16"] }, () => {
    expect(resolveWith({ jwt: Object.create({ encode }) as object }).options["jwt.encode"]).toBeUndefined()
  })

  it("extends a session that is shorter than the default after half its life", () => {
    const usual = (maxAge: number) => resolveWith({ session: { maxAge } }).options["session.updateAge"]
    expect([usual(60), usual(86_400), usual(86_401)]).toEqual([30, 43_200, 86_400])
  })

  it("is no option that functions of their own read, and no member of a group that is handed on together", () => {
    const given = { callbackTimeout: 5, pages: { signIn: "/in" }, callbacks: { signIn: () => true }, secret }
    const names = Object.keys(resolveWith(given).options)
    for (const name of ["callbackTimeout", "pages", "pages.signIn", "callbacks.signIn", "secret", "session"])
      expect(names).not.toContain(name)
  })
})

describe("skipCSRFCheck", () => {
  it.each([true, "yes", Symbol("other")])("that is %o leaves the protection on, and a warning says so", (value) => {
    expect(resolveWith({ skipCSRFCheck: value })).toMatchObject({
      problems: [],
      warnings: ["skip-csrf-check-ignored"],
      skipCsrfCheck: false,
    })
  })

  it.each([undefined, null, false])("that is %o says nothing", (value) => {
    expect(resolveWith({ skipCSRFCheck: value })).toMatchObject({ problems: [], warnings: [], skipCsrfCheck: false })
  })
})

describe("an option that is not known", () => {
  it.each([
    [{ provders: [] }, '"provders" (did you mean "providers"?).'],
    [{ session: { maxage: 60 } }, '"session.maxage" (did you mean "session.maxAge"?).'],
    [{ callbacks: { singIn: () => true } }, '"callbacks.singIn" (did you mean "callbacks.signIn"?).'],
    [{ maxAge: 60 }, '"maxAge".'],
    [{ signIn: "/login" }, '"signIn".'],
    [{ trusthost: true }, '"trusthost" (did you mean "trustHost"?).'],
    [{ somethingElse: 1 }, '"somethingElse".'],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, '"a", "b", "c", "d", "e", and 1 more.'],
  ])("is a warning with the nearest name: %j", { tags: ["threat:A-118"] }, (config, detail) => {
    const { warnings, warningDetails } = resolveWith(config)
    expect([warnings, warningDetails["unknown-option"]]).toEqual([["unknown-option"], detail])
  })

  it.each([{ callbacks: { authorized: () => true } }, { prefix: "/api/auth" }])(
    "is no warning where a framework of Auth.js reads it: %j",
    (config) => {
      expect(resolveWith(config).warnings).toEqual([])
    },
  )

  it("is no warning where all are known", () => {
    const adapter = { getUser: async () => null }
    const config = { adapter, session: { maxAge: 60, verifyUser: true }, pages: { newUser: "/new" }, callbacks: {} }
    expect(resolveWith(config).warnings).toEqual([])
  })
})
