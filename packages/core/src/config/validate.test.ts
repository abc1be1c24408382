import { describe, expect, it } from "vitest"
import type { AuthConfig } from "../types/config.js"
import { createCaches } from "./caches.js"
import { resolveSettings } from "./resolve.js"

const secret = "0123456789abcdef0123456789abcdef"
const caches = createCaches()
const judge = (config: object, env: Record<string, string> = {}) =>
  resolveSettings({ secret, providers: [], ...config } as AuthConfig, { env, caches })
const typesOf = (config: object): string[] => judge(config).problems.map(({ type }) => type)

const mail = { id: "mail", name: "Mail", type: "email", sendVerificationRequest: () => undefined }
const passkey = { id: "passkey", name: "Passkey", type: "webauthn" }
const password = { id: "credentials", name: "Password", type: "credentials", credentials: {}, authorize: () => null }
const experimental = { enableWebAuthn: true }

describe("secrets", () => {
  it.each([
    ["missing", undefined],
    ["null", null],
    ["empty", ""],
    ["blank", "   "],
    ["an empty list", []],
    ["a list with an empty member", [secret, ""]],
    ["a number", 5],
    ["a list with a number", [secret, 5]],
  ])("that are %s are a problem", { tags: ["threat:CF2-10"] }, (_, value) => {
    expect(typesOf({ secret: value })).toEqual(["MissingSecret"])
  })

  it("that are short are a warning only, wherever they stand [spec limits secret-length]", () => {
    for (const short of ["x", [secret, "y".repeat(31)]]) {
      expect(judge({ secret: short })).toMatchObject({ problems: [], warnings: ["secret-too-short"] })
    }
    expect(judge({ jwt: { secret: "short" } }).warnings).toEqual(["secret-too-short"])
    expect(judge({}).warnings).toEqual([])
  })

  it("come from the environment when the configuration has none", () => {
    expect(judge({ secret: "" }, { AUTH_SECRET: secret })).toMatchObject({ problems: [], jwt: { secret } })
  })

  it("of tokens are judged as well", () => {
    expect(judge({ jwt: { secret: "" } }).problems[0]?.message).toMatch(/^"jwt\.secret": expected/)
  })

  it("that are unfit are named by their kind", () => {
    const messageOf = (value: unknown) => judge({ secret: value }).problems[0]?.message
    expect(messageOf([secret, 424_242])).toContain("received a number.")
    expect(messageOf([secret, ""])).toContain("received an empty text.")
    expect(messageOf([])).toContain("received an empty list.")
    expect(messageOf(undefined)).toContain("received nothing.")
  })

  it("are never told", () => {
    const { problems } = judge({ secret: [`${secret}-hush`, ""], jwt: { secret: { hush: "hush" } } })
    expect(problems).toHaveLength(2)
    expect(problems.map(({ message }) => message).join()).not.toContain("hush")
  })
})

describe("skipCSRFCheck", () => {
  it.each([true, "yes", Symbol("other")])("that is %o leaves the protection on, and a warning says so", (value) => {
    expect(judge({ skipCSRFCheck: value })).toMatchObject({
      problems: [],
      warnings: ["skip-csrf-check-ignored"],
      skipCsrfCheck: false,
    })
  })

  it.each([undefined, null, false])("that is %o says nothing", (value) => {
    expect(judge({ skipCSRFCheck: value })).toMatchObject({ problems: [], warnings: [], skipCsrfCheck: false })
  })
})

describe("what providers need", () => {
  it.each([
    ["an e-mail provider without adapter", { providers: [mail] }, ["MissingAdapter"]],
    ["an e-mail provider with adapter", { providers: [mail], adapter: {} }, []],
    ["an explicit database strategy without adapter", { session: { strategy: "database" } }, ["MissingAdapter"]],
    [
      "credentials alone with an explicit database strategy",
      { providers: [password], session: { strategy: "database" }, adapter: {} },
      [],
    ],
    ["credentials with an adapter", { providers: [password], adapter: {} }, []],
    ["an adapter without any operation", { providers: [mail, passkey], adapter: {}, experimental }, []],
    ["a passkey without anything", { providers: [passkey] }, ["MissingAdapter", "ExperimentalFeatureNotEnabled"]],
    ["a passkey without the flag", { providers: [passkey], adapter: {} }, ["ExperimentalFeatureNotEnabled"]],
    ["a passkey without adapter", { providers: [passkey], experimental }, ["MissingAdapter"]],
    [
      "two providers that offer passkeys while typing",
      { providers: [passkey, { ...passkey, id: "webauthn" }], adapter: {}, experimental },
      ["DuplicateConditionalUI"],
    ],
    [
      "two of which one does not",
      { providers: [passkey, { ...passkey, id: "webauthn", enableConditionalUI: false }], adapter: {}, experimental },
      [],
    ],
    [
      "a form without a field for it",
      {
        providers: [{ ...passkey, enableConditionalUI: true, formFields: { name: { autocomplete: "username" } } }],
        adapter: {},
        experimental,
      },
      ["MissingWebAuthnAutocomplete"],
    ],
  ])("%s", { tags: ["threat:CF2-09"] }, (_, config, expected) => {
    expect(typesOf(config)).toEqual(expected)
  })

  it("warns of what is experimental [spec options experimental.enableWebAuthn]", () => {
    expect(judge({ providers: [passkey], adapter: {}, experimental }).warnings).toEqual(["experimental-webauthn"])
    expect(judge({ experimental }).warnings).toEqual([])
  })

  it("names the provider and the way out", () => {
    expect(judge({ providers: [mail] }).problems[0]?.message).toBe(
      '"adapter": expected one, because the provider "mail" stores the tokens of its links, received nothing. Set "adapter" to a data layer.',
    )
  })
})

describe("numbers", () => {
  const absurd = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e15, 2_592_000_000, "3600", true, {}]
  it.each(absurd.flatMap((value) => [["session", "maxAge", value] as const, ["jwt", "maxAge", value] as const]))(
    "%s.%s: %s is a problem, and the default is used",
    { tags: ["threat:SF-12"] },
    (group, name, value) => {
      const settings = judge({ [group]: { [name]: value } })
      expect(settings.problems[0]?.message).toMatch(
        new RegExp(`^"${group}\\.${name}": expected a number of seconds from 1 to 315360000, received `),
      )
      expect([settings.sessionMaxAge, settings.jwt.maxAge]).toEqual([2_592_000, 2_592_000])
    },
  )

  it.each([[-1], [Number.NaN], [Number.POSITIVE_INFINITY], ["0"]])(
    "session.updateAge: %s is a problem",
    { tags: ["threat:SF-12"] },
    (updateAge) => {
      expect(judge({ session: { updateAge } })).toMatchObject({
        problems: [{ type: "InvalidConfiguration" }],
        sessionUpdateAge: 86_400,
      })
    },
  )

  it("may be fractions, which arithmetic makes, and zero where it says something [spec limits session.updateAge]", () => {
    expect(judge({ session: { maxAge: 90.5, updateAge: 0 } })).toMatchObject({
      sessionMaxAge: 90,
      sessionUpdateAge: 0,
      problems: [],
    })
  })
})

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
  ])("%s: %s is a problem that says what to do", (option, value) => {
    const { problems } = judge({ [option]: value })
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
    ["pages.error", { pages: { error: "/e\nrror" } }],
    ["pages.newUser", { pages: { newUser: 5 } }],
    ["pages.signOut", { pages: { signOut: "https://user:pass@app.test/" } }],
    ["experimental.enableWebAuthn", { experimental: { enableWebAuthn: "yes" } }],
  ])("%s is judged", (option, config) => {
    expect(judge(config).problems[0]?.message).toContain(`"${option}": expected`)
  })

  it("may be classes where methods are asked for", () => {
    class Callbacks {
      signIn() {
        return true
      }
    }
    expect(typesOf({ callbacks: new Callbacks(), adapter: new (class {})() })).toEqual([])
  })

  it("may be foreign pages, because the application wrote them", { tags: ["threat:CF2-15"] }, () => {
    expect(
      typesOf({
        pages: { signIn: "https://login.test/x", error: "/e?x=1#y", verifyRequest: "check", newUser: "//cdn.test/w" },
      }),
    ).toEqual([])
  })
})

describe("warnings", () => {
  it("tell that debug is on, unless a logger makes that irrelevant [spec options debug]", {
    tags: ["threat:CF2-16"],
  }, () => {
    expect(judge({ debug: true }).warnings).toEqual(["debug-enabled"])
    expect(judge({ debug: true, logger: {} }).warnings).toEqual([])
  })

  it.each([
    [{ basePath: "/auth" }, "https://app.test/auth", ["env-url-basepath-redundant"]],
    [{ basePath: "/auth/" }, "https://app.test/auth/", ["env-url-basepath-redundant"]],
    [{ basePath: "/auth" }, "https://app.test/other", ["env-url-basepath-mismatch"]],
    [{ basePath: "/auth" }, "https://app.test", []],
    [{}, "https://app.test/other", []],
  ])("tell of %j beside AUTH_URL %s: %j", (config, AUTH_URL, expected) => {
    expect(judge(config, { AUTH_URL }).warnings).toEqual(expected)
  })

  it("do not count a mount as said twice", () => {
    const given = { env: { AUTH_URL: "https://app.test/auth" }, caches, mount: "/auth" }
    expect(resolveSettings({ secret, providers: [] }, given).warnings).toEqual([])
    const other = resolveSettings({ secret, providers: [] }, { ...given, mount: "/other" })
    expect(other.warnings).toEqual(["env-url-basepath-mismatch"])
  })

  it.each([
    [true, "http://app.test", ["secure-cookies-mismatch"]],
    [false, "https://app.test", ["secure-cookies-mismatch"]],
    [true, "https://app.test", []],
    [false, "http://app.test", []],
    [undefined, "https://app.test", []],
  ])(
    "tell that secure cookies (%s) do not fit %s",
    { tags: ["threat:CK-02"] },
    (useSecureCookies, AUTH_URL, expected) => {
      expect(judge({ useSecureCookies }, { AUTH_URL }).warnings).toEqual(expected)
    },
  )
})
