import { describe, expect, it } from "vitest"
import { checkCookies, cookieRoles, cookieTable, securedByName } from "./cookies.js"
import { createReport } from "./report.js"

describe("the cookie table", () => {
  it("has the names existing applications have [spec options cookies]", () => {
    const plain = cookieTable(false)
    const secure = cookieTable(true)
    const names = cookieRoles.map((role) => [plain[role].name, secure[role].name])
    expect(names).toEqual([
      ["authjs.session-token", "__Secure-authjs.session-token"],
      ["authjs.callback-url", "__Secure-authjs.callback-url"],
      ["authjs.csrf-token", "__Host-authjs.csrf-token"],
      ["authjs.pkce.code_verifier", "__Secure-authjs.pkce.code_verifier"],
      ["authjs.state", "__Secure-authjs.state"],
      ["authjs.nonce", "__Secure-authjs.nonce"],
      ["authjs.challenge", "__Secure-authjs.challenge"],
    ])
  })

  it("has one of its own beside them, for known browsers, that no override reaches", () => {
    const overrides = { device: { name: "mine" } } as never
    const tables = [false, true].map((secure) => cookieTable(secure, overrides))
    expect(tables.map(({ device }) => device.name)).toEqual(["authjs.device", "__Host-authjs.device"])
  })

  it("is http-only, lax, for all paths, and secure only on https [spec authentication 9]", () => {
    for (const secure of [true, false]) {
      for (const { options } of Object.values(cookieTable(secure))) {
        expect(options).toMatchObject({ httpOnly: true, sameSite: "lax", path: "/", secure })
        expect(options.domain).toBeUndefined()
      }
    }
  })

  it("is secure on http as well where a name asks for it and https is possible", { tags: ["threat:CK-01"] }, () => {
    const overrides = { sessionToken: { name: "__Secure-sid" }, csrfToken: { name: "__HOST-t" }, state: { name: "s" } }
    const { sessionToken, csrfToken, state, nonce } = securedByName(cookieTable(false, overrides))
    expect([sessionToken, csrfToken, state, nonce].map(({ options }) => options.secure)).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(cookieTable(false, overrides).sessionToken.options.secure).toBe(false)
  })

  it("gives a check fifteen minutes and a session none of its own", () => {
    const table = cookieTable(true)
    expect(
      [table.state, table.pkceCodeVerifier, table.nonce, table.webauthnChallenge].map(({ options }) => options.maxAge),
    ).toEqual([900, 900, 900, 900])
    expect([table.sessionToken, table.csrfToken, table.callbackUrl].map(({ options }) => options.maxAge)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it("merges name and attributes one by one; a name counts as it is", () => {
    const table = cookieTable(true, {
      sessionToken: { name: "sid" },
      state: { options: { domain: "app.test", sameSite: "None" as never } },
    })
    expect(table.sessionToken).toMatchObject({ name: "sid", options: { httpOnly: true, secure: true } })
    expect(table.state).toMatchObject({
      name: "__Secure-authjs.state",
      options: { domain: "app.test", sameSite: "none", maxAge: 900 },
    })
  })

  it("reads undefined as absent and null as none", () => {
    const overrides = {
      sessionToken: { name: undefined, options: { path: undefined, httpOnly: undefined } },
      state: { options: { maxAge: null } },
      nonce: undefined,
      csrfToken: null,
    }
    const table = cookieTable(false, overrides as never)
    expect(table.sessionToken).toEqual({
      name: "authjs.session-token",
      options: { httpOnly: true, sameSite: "lax", path: "/", secure: false },
    })
    expect(table.state.options).not.toHaveProperty("maxAge")
    expect([table.nonce.name, table.csrfToken.name]).toEqual(["authjs.nonce", "authjs.csrf-token"])
  })

  it("is made once for those who override nothing", () => {
    for (const secure of [true, false]) expect(cookieTable(secure)).toBe(cookieTable(secure, null))
  })

  it("is frozen and shares nothing with the overrides", () => {
    const overrides = Object.freeze({ state: Object.freeze({ options: Object.freeze({ path: "/x" }) }) })
    const table = cookieTable(false, overrides)
    expect(Object.isFrozen(table)).toBe(true)
    expect(Object.isFrozen(table.state)).toBe(true)
    expect(Object.isFrozen(table.state.options)).toBe(true)
  })
})

function problemsOf(overrides: unknown, secure = true): string[] {
  const report = createReport()
  checkCookies(overrides, cookieTable(secure, overrides as never), report)
  return report.problems.map(({ message }) => message)
}

describe("cookie options", () => {
  it("are fine by default", () => {
    for (const secure of [true, false])
      for (const none of [undefined, null, {}]) expect(problemsOf(none, secure)).toEqual([])
  })

  it.each([
    ["a domain", "csrfToken.options.domain", { csrfToken: { options: { domain: "app.test" } } }],
    ["another path", "csrfToken.options.path", { csrfToken: { options: { path: "/auth" } } }],
    ["no path", "csrfToken.options.path", { csrfToken: { options: { path: null } } }],
    ["no secure", "csrfToken.options.secure", { csrfToken: { options: { secure: false } } }],
    [
      "a domain under an own name",
      "state.options.domain",
      { state: { name: "__Host-s", options: { domain: "app.test" } } },
    ],
    [
      "a name in small letters",
      "state.options.domain",
      { state: { name: "__host-s", options: { domain: "app.test" } } },
    ],
    [
      "no secure under __Secure-",
      "state.options.secure",
      { state: { name: "__Secure-s", options: { secure: false } } },
    ],
  ])("require what the prefix of a name requires: %s", { tags: ["threat:CK-01"] }, (_, option, overrides) => {
    const [problem] = problemsOf(overrides)
    expect(problem).toMatch(new RegExp(`^"cookies\\.${option.replaceAll(".", "\\.")}": expected .+ requires it`))
  })

  it("may have a domain under a name without prefix", () => {
    const options = { domain: ".app.test" }
    expect(problemsOf({ csrfToken: { name: "csrf", options }, sessionToken: { options } })).toEqual([])
  })

  it("need secure for SameSite=None", { tags: ["threat:CK-28"] }, () => {
    const overrides = { sessionToken: { name: "sid", options: { sameSite: "none" } } }
    expect(problemsOf(overrides, true)).toEqual([])
    expect(problemsOf(overrides, false)[0]).toMatch(
      /^"cookies\.sessionToken\.options\.secure": expected true, received false/,
    )
    expect(problemsOf({ sessionToken: { name: "sid", options: { sameSite: "None", secure: false } } })).toHaveLength(1)
  })

  it.each([
    ["name", { name: "" }],
    ["name", { name: "a b" }],
    ["name", { name: "a;b" }],
    ["name", { name: "a=b" }],
    ["name", { name: "ä" }],
    ["name", { name: "x".repeat(300) }],
    ["name", { name: 5 }],
    ["options.sameSite", { options: { sameSite: "relaxed" } }],
    ["options.path", { options: { path: "auth" } }],
    ["options.path", { options: { path: "/a;b" } }],
    ["options.path", { options: { path: "/a\r\nb" } }],
    ["options.domain", { options: { domain: "app test" } }],
    ["options.domain", { options: { domain: "app.test; Secure" } }],
    ["options.maxAge", { options: { maxAge: 1.5 } }],
    ["options.maxAge", { options: { maxAge: "60" } }],
    ["options.maxAge", { options: { maxAge: Number.NaN } }],
    ["options.expires", { options: { expires: "tomorrow" } }],
    ["options.expires", { options: { expires: new Date("x") } }],
    ["options.priority", { options: { priority: "urgent" } }],
    ["options.httpOnly", { options: { httpOnly: "yes" } }],
    ["options.secure", { options: { secure: "yes" } }],
    ["options.partitioned", { options: { partitioned: 1 } }],
    ["options.encode", { options: { encode: "base64" } }],
  ])("are checked: %s in %j", { tags: ["threat:SF-12"] }, (option, override) => {
    const problems = problemsOf({ nonce: override }, false)
    expect(problems.length).toBeGreaterThan(0)
    expect(problems[0]).toContain(`"cookies.nonce.${option}": expected `)
  })

  it.each([
    ...[
      "",
      "a.test ",
      "-a.test",
      "a-.test",
      "a.-b.test",
      "a.b-.test",
      "a..test",
      "a.test.",
      "..a.test",
      "https://a.test",
    ].map((domain) => ({ domain })),
    ...["x/auth", "/a b", " /a"].map((path) => ({ path })),
    { maxAge: -1 },
    // A list is written into a cookie like a text, but is none.
    { domain: ["a.test"] },
    { path: ["/a"] },
    { sameSite: ["lax"] },
  ])("refuse what browsers would drop: %j", { tags: ["threat:SF-12"] }, (options) => {
    expect(problemsOf({ nonce: { options } })).toHaveLength(1)
  })

  it.each([
    ...["a", "Local.test", ".a.test", "a-b.x1.test", "9.test", "a.b", "192.0.2.1"].map((domain) => ({ domain })),
    ...["/", "/a", "/a/b?c=:<~"].map((path) => ({ path })),
    ...["lax", "Strict", "none", true, false].map((sameSite) => ({ sameSite })),
    ...["low", "Medium", "high"].map((priority) => ({ priority })),
    ...[0, 60].map((maxAge) => ({ maxAge })),
    { expires: new Date("2026-04-01T00:00:00Z") },
    { encode: encodeURIComponent },
  ])("accept %j", (options) => {
    expect(problemsOf({ nonce: { options } })).toEqual([])
  })

  it.each([
    ["a list", [], '"cookies": expected an object, received'],
    ["a text", "authjs", '"cookies": expected an object, received'],
    ["an unknown cookie", { session: { name: "x" } }, '"cookies": expected one of '],
    [
      "a text for a cookie",
      { sessionToken: "x" },
      '"cookies.sessionToken": expected an object with `name` or `options`, received',
    ],
  ])("must be written as options by cookie: %s", (_, overrides, expected) => {
    expect(problemsOf(overrides)).toEqual([expect.stringContaining(expected)])
  })

  it("may be null, by cookie too", () => {
    expect(problemsOf({ csrfToken: null })).toEqual([])
  })

  it("are free of the rules of prefixes where the name only contains one", () => {
    const options = { secure: false, domain: "a.test", path: "/x" }
    expect(problemsOf({ state: { name: "x__Host-s", options }, nonce: { name: "x__Secure-s", options } })).toEqual([])
  })

  it("give each cookie its own name", () => {
    expect(problemsOf({ state: { name: "x" }, nonce: { name: "x" } })[0]).toContain(
      '"cookies.nonce.name": expected a name other than that of state, received the string "x"',
    )
    expect(problemsOf({ sessionToken: { name: "sid" }, state: { name: "sid.0" } })[0]).toContain(
      '"cookies.state.name": expected a name other than those of parts of sessionToken, received the string "sid.0"',
    )
    expect(problemsOf({ sessionToken: { name: "sid" }, state: { name: "sid.10" } })).toHaveLength(1)
    for (const other of ["sid.state", "sid.a0", "sid.0a", "abcd0"])
      expect(problemsOf({ sessionToken: { name: "sid" }, state: { name: other } })).toEqual([])
    expect(problemsOf({ state: { name: "__Host-authjs.device" } })[0]).toContain("a name other than that of device")
  })

  it("are listed where one is named that does not exist", () => {
    expect(problemsOf({ sesionToken: {} })[0]).toMatch(
      /^"cookies": expected one of sessionToken, .+, received the string "sesionToken"\. Correct the name/,
    )
  })

  it("are checked as names for https only where https is used", () => {
    expect(problemsOf({ sessionToken: { name: "__Secure-sid" } }, true)).toEqual([])
    expect(problemsOf({ sessionToken: { name: "__Secure-sid" } }, false)).toHaveLength(1)
  })
})
