import { describe, expect, it } from "vitest"
import { settingsOf } from "../../test/support/facts.js"
import { originOfCall, trustedOriginOf } from "./origin.js"

const trusting = settingsOf()
const fixedPlain = settingsOf({}, { AUTH_URL: "http://app.test" })
const fixed = settingsOf({}, { AUTH_URL: "https://app.test/base/auth/?x=1" })
const loopback = settingsOf({ trustHost: undefined })
const strict = settingsOf({ trustHost: undefined }, { NODE_ENV: "production" })

describe("trustedOriginOf", () => {
  it.each([
    ["https://evil.test/auth/session", "https://app.test", true, "HO-02"],
    ["http://evil.test/", "https://app.test", true, "HO-19"],
    ["http://localhost:3000/", "https://app.test", true, "HO-03"],
  ])("lets nothing in %s change a configured origin [%s]", { tags: ["threat:A-005"] }, (url, origin, isSecure) => {
    expect(trustedOriginOf({ url }, fixed)).toEqual({ origin, isSecure })
    expect(trustedOriginOf({ url }, fixedPlain)).toEqual({ origin: "http://app.test", isSecure: false })
  })

  it.each([
    ["https://app.test/auth/session?x", "https://app.test", true],
    ["http://app.test:8080/", "http://app.test:8080", false],
    ["https://APP.test:443/", "https://app.test", true],
    ["https://[::1]:3000/", "https://[::1]:3000", true],
    ["https://evil.test:pw@app.test/auth/session", "https://app.test", true],
    ["https://app.test/auth/session#@evil.test/", "https://app.test", true],
    ["https://app.test/auth/session?x=https://evil.test", "https://app.test", true],
    ["https://app.test\\@evil.test/", "https://app.test", true],
  ])(
    "takes the origin of %s where hosts are trusted [spec authentication 2]",
    { tags: ["threat:PA-20", "threat:HO-04", "threat:HO-09", "threat:HO-10"] },
    (url, origin, isSecure) => {
      expect(trustedOriginOf({ url }, trusting)).toEqual({ origin, isSecure })
      expect(trustedOriginOf({ url: new URL(url) }, trusting)).toEqual({ origin, isSecure })
    },
  )

  it.each(["https://evil.test/", "http://127.0.0.1.nip.io/", "http://localhost.evil.test/"])(
    "does not trust %s by itself [spec authentication 2]",
    { tags: ["threat:HO-01", "threat:HO-16"] },
    (url) => {
      for (const settings of [loopback, strict]) {
        expect(trustedOriginOf({ url }, settings).problem?.type).toBe("UntrustedHost")
      }
    },
  )

  it("trusts loopback except in production", () => {
    expect(trustedOriginOf({ url: "http://localhost:3000/" }, loopback).problem).toBeUndefined()
    expect(trustedOriginOf({ url: "http://localhost:3000/" }, strict).problem?.type).toBe("UntrustedHost")
  })

  it.each([["/auth/session"], [""], ["https://app.test:99999/"], ["ftp://app.test/"], ["javascript:alert(1)"]])(
    "finds no origin in %j",
    { tags: ["threat:HO-11", "threat:PA-20"] },
    (url) => {
      const { origin, problem } = trustedOriginOf({ url }, trusting)
      expect(problem?.type).toBe("UnreadableRequest")
      expect(origin).toBe("http://origin.invalid")
      expect(trustedOriginOf({ url }, trusting).isSecure).toBe(false)
    },
  )

  it("names a proxy whose headers are not read, beside the host that is not trusted", () => {
    const url = "http://app.test/"
    const headers = new Headers({ "x-forwarded-proto": "https" })
    expect(trustedOriginOf({ url, headers }, strict).problem?.message).toMatch(
      /proxy sets the host\. X-Forwarded-Proto "https" of the request was not read/,
    )
    expect(trustedOriginOf({ url, headers: new Headers() }, strict).problem?.message).toMatch(/proxy sets the host\.$/)
    expect(trustedOriginOf({ url }, strict).problem?.message).toMatch(/proxy sets the host\.$/)
  })
})

describe("originOfCall", () => {
  const secureCookies = settingsOf({ useSecureCookies: true })

  it("prefers what is configured", () => {
    expect(originOfCall({ url: "http://evil.test", secure: false }, "scheme", fixed)).toEqual({
      origin: "https://app.test",
      isSecure: true,
    })
  })

  it.each([
    [{ url: "https://app.test/x" }, "https://app.test"],
    [{ url: "http://app.test:8080/x", secure: true }, "https://app.test:8080"],
    [{ url: "https://app.test/x", secure: false }, "http://app.test"],
  ])("reads %j as %s", (source, origin) => {
    expect(originOfCall(source, "origin", trusting)).toEqual({ origin, isSecure: origin.startsWith("https") })
  })

  it.each([
    [{ secure: true }, trusting, true],
    [{ secure: false }, trusting, false],
    [{}, secureCookies, true],
  ])("needs only the scheme for %j where only cookies depend on it", (source, settings, isSecure) => {
    const origin = `${isSecure ? "https" : "http"}://origin.invalid`
    expect(originOfCall(source, "scheme", settings)).toEqual({ origin, isSecure })
  })

  it("names the missing scheme", () => {
    const { problem, ...rest } = originOfCall({}, "scheme", trusting)
    expect(rest).toEqual({ origin: "http://origin.invalid", isSecure: false })
    expect(problem?.type).toBe("InvalidConfiguration")
    for (const way of ["url", "secure", "AUTH_URL", "useSecureCookies"]) expect(problem?.message).toContain(way)
  })

  it("names the missing address", () => {
    const { problem, ...rest } = originOfCall({ secure: true }, "origin", secureCookies)
    expect(rest).toEqual({ origin: "https://origin.invalid", isSecure: true })
    expect(originOfCall({}, "origin", trusting)).toMatchObject({ origin: "http://origin.invalid", isSecure: false })
    expect(problem?.type).toBe("InvalidConfiguration")
    for (const way of ["url", "AUTH_URL"]) expect(problem?.message).toContain(way)
  })

  it("distrusts a host here as well", () => {
    expect(originOfCall({ url: "https://evil.test/" }, "scheme", strict).problem?.type).toBe("UntrustedHost")
  })
})
