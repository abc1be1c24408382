import { describe, expect, it } from "vitest"
import { cookieTable } from "./cookies.js"
import { createReport } from "./report.js"
import { judgeCookies } from "./validate-cookies.js"

function judge(overrides: unknown, secure = true): string[] {
  const report = createReport()
  judgeCookies(overrides, cookieTable({ secure, overrides: overrides as never }), report)
  return report.problems.map(({ message }) => message)
}

describe("cookie options", () => {
  it("are fine by default", () => {
    for (const secure of [true, false])
      for (const none of [undefined, null, {}]) expect(judge(none, secure)).toEqual([])
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
  ])("keep what the prefix of a name demands: %s", { tags: ["threat:CK-01"] }, (_, option, overrides) => {
    const [problem] = judge(overrides)
    expect(problem).toMatch(new RegExp(`^"cookies\\.${option.replaceAll(".", "\\.")}": expected .+ demands it`))
  })

  it("may have a domain under a name without prefix", () => {
    const options = { domain: ".app.test" }
    expect(judge({ csrfToken: { name: "csrf", options }, sessionToken: { options } })).toEqual([])
  })

  it("need secure for SameSite=None", { tags: ["threat:CK-28"] }, () => {
    const overrides = { sessionToken: { name: "sid", options: { sameSite: "none" } } }
    expect(judge(overrides, true)).toEqual([])
    expect(judge(overrides, false)[0]).toMatch(
      /^"cookies\.sessionToken\.options\.secure": expected true, received false/,
    )
    expect(judge({ sessionToken: { name: "sid", options: { sameSite: "None", secure: false } } })).toHaveLength(1)
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
  ])("are judged: %s in %j", { tags: ["threat:SF-12"] }, (option, override) => {
    const problems = judge({ nonce: override }, false)
    expect(problems.length).toBeGreaterThan(0)
    expect(problems[0]).toContain(`"cookies.nonce.${option}": expected `)
  })

  it.each([
    ["a list", []],
    ["a text", "authjs"],
    ["an unknown cookie", { session: { name: "x" } }],
    ["a text for a cookie", { sessionToken: "x" }],
  ])("must be written as options by cookie: %s", (_, overrides) => {
    expect(judge(overrides).length).toBeGreaterThan(0)
  })

  it("give each cookie its own name", () => {
    expect(judge({ state: { name: "x" }, nonce: { name: "x" } })[0]).toContain(
      '"cookies.nonce.name": expected a name that state does not have',
    )
    expect(judge({ sessionToken: { name: "sid" }, state: { name: "sid.0" } })[0]).toContain('"cookies.state.name"')
    expect(judge({ sessionToken: { name: "sid" }, state: { name: "sid.state" } })).toEqual([])
  })

  it("judge a name for https only where https is used", () => {
    expect(judge({ sessionToken: { name: "__Secure-sid" } }, true)).toEqual([])
    expect(judge({ sessionToken: { name: "__Secure-sid" } }, false)).toHaveLength(1)
  })
})
