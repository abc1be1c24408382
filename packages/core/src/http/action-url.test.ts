import { describe, expect, it, vi } from "vitest"
import { createActionURL } from "./action-url.js"

const none = new Headers()
const headersOf = (record: Record<string, string>): { get(name: string): string | null } => ({
  get: (name) => record[name] ?? null,
})

describe("the address of an action from AUTH_URL", () => {
  it.each([
    [{ AUTH_URL: "https://app.test" }, "/auth", "https://app.test/auth/signin"],
    [{ AUTH_URL: " https://app.test " }, "/auth", "https://app.test/auth/signin"],
    [{ AUTH_URL: "https://app.test/" }, "/auth/", "https://app.test/auth/signin"],
    [{ AUTH_URL: "https://app.test/auth" }, undefined, "https://app.test/auth/signin"],
    [{ AUTH_URL: "https://app.test/auth/" }, "/auth", "https://app.test/auth/signin"],
    [{ AUTH_URL: "https://app.test" }, "/", "https://app.test/signin"],
    [{ AUTH_URL: "https://app.test/x?y=1#z" }, undefined, "https://app.test/x/signin"],
    [{ AUTH_URL: "", NEXTAUTH_URL: "https://next.test/api/auth" }, undefined, "https://next.test/api/auth/signin"],
  ])("with %j and base path %j is %s", (env, basePath, expected) => {
    const headers = headersOf({ host: "evil.test", "x-forwarded-host": "evil.test", "x-forwarded-proto": "http" })
    expect(createActionURL("signin", "http", headers, env, { basePath }).href).toBe(expected)
  })

  it("warns when its path differs, which is then ignored", () => {
    const warn = vi.fn()
    const config = { basePath: "/auth", logger: { warn } }
    const url = createActionURL("csrf", "https", none, { AUTH_URL: "https://app.test/other" }, config)
    expect(url.href).toBe("https://app.test/auth/csrf")
    expect(warn).toHaveBeenCalledExactlyOnceWith("env-url-basepath-mismatch")
    createActionURL("csrf", "https", none, { AUTH_URL: "https://app.test/auth/" }, config)
    createActionURL("csrf", "https", none, { AUTH_URL: "https://app.test" }, config)
    createActionURL("csrf", "https", none, { AUTH_URL: "https://app.test/other" }, { logger: { warn } })
    expect(warn).toHaveBeenCalledOnce()
  })

  it("refuses an invalid URL", () => {
    expect(() => createActionURL("csrf", "https", none, { AUTH_URL: "app.test" })).toThrow(
      /"AUTH_URL": expected .+, received the string "app.test"/,
    )
  })
})

describe("the address of an action from headers", () => {
  it.each([
    ["HO-09", { "x-forwarded-host": "app.test:443", "x-forwarded-proto": "https" }, "https://app.test"],
    ["HO-10", { "x-forwarded-host": "app.test:8443" }, "https://app.test:8443"],
    ["HO-08", { "x-forwarded-host": " ", host: "app.test" }, "https://app.test"],
    ["HO-08", { "x-forwarded-host": "\t", host: "app.test" }, "https://app.test"],
    ["HO-08", { "x-forwarded-host": "", host: "app.test" }, "https://app.test"],
    ["HO-15", { host: "[::1]:3000", "x-forwarded-proto": "http" }, "http://[::1]:3000"],
    ["HO-15", { "x-forwarded-host": "[::1]", host: "app.test" }, "https://[::1]"],
    ["HO-17", { "x-forwarded-host": "APP.TEST", host: "inner" }, "https://app.test"],
    ["HO-17", { host: "APP.TEST" }, "https://app.test"],
    ["HO-20", { host: "app.test", "x-forwarded-proto": "HTTPS" }, "https://app.test"],
    ["HO-20", { host: "app.test", "x-forwarded-proto": "" }, "https://app.test"],
    ["HO-20", { host: "app.test", "x-forwarded-proto": "http:" }, "http://app.test"],
    ["HO-22", { host: "app.test", "x-forwarded-port": "1", "x-host": "evil.test" }, "https://app.test"],
    ["HO-22", { host: "app.test", "x-forwarded-prefix": "//evil.test", "x-forwarded-server": "e" }, "https://app.test"],
    ["HO-22", { host: "app.test", "x-original-host": "evil.test" }, "https://app.test"],
    ["HO-23", { host: "app.test", forwarded: "host=evil.test;proto=http" }, "https://app.test"],
  ])("[%s] with %j begins with %s", (_, headers, origin) => {
    expect(createActionURL("session", "https", headersOf(headers), {}, { basePath: "/auth" }).href).toBe(
      `${origin}/auth/session`,
    )
  })

  it("takes the protocol of the caller, else https", () => {
    const headers = headersOf({ host: "app.test" })
    expect(createActionURL("session", "http:", headers, {}).origin).toBe("http://app.test")
    expect(createActionURL("session", " HTTP ", headers, {}).origin).toBe("http://app.test")
    expect(createActionURL("session", undefined, headers, {}).origin).toBe("https://app.test")
  })

  const hosts = [
    ["HO-05", "app.test, evil.test"],
    ["HO-06", "evil.test, app.test"],
    ["HO-07", "evil.test,app.test"],
    ["HO-11", "app.test:99999"],
    ["HO-11", "app.test:abc"],
    ["HO-11", "app.test:-1"],
    ["HO-11", "app.test:"],
    ["HO-12", "evil.test@app.test"],
    ["HO-12", "app.test@evil.test"],
    ["HO-13", "app.test/evil"],
    ["HO-13", "app.test?x"],
    ["HO-13", "app.test#x"],
    ["HO-13", "app.test\\@evil.test"],
    ["HO-14", "app.test%0d%0aX: y"],
    ["HO-14", "app .test"],
    ["HO-14", "<script>"],
    ["HO-15", "[fe80::1%25eth0]"],
    ["HO-17", "app.test."],
    ["HO-18", "аpp.test"],
    ["SS-14", "0x7f000001"],
    ["SS-14", "2130706433"],
    ["SS-14", "127.1"],
    ["SS-14", "0177.0.0.1"],
  ] as const
  it.each(hosts)("[%s] refuses the host %j", (_, host) => {
    for (const name of ["x-forwarded-host", "host"]) {
      expect(() => createActionURL("session", "https", headersOf({ [name]: host }), {})).toThrow(
        /"host of the request": expected one host name with an optional port, received/,
      )
    }
  })

  it("refuses two lines of the header that names the host", { tags: ["threat:HO-07"] }, () => {
    for (const lines of [
      ["app.test", "evil.test"],
      ["app.test", "app.test"],
    ]) {
      const headers = new Headers({ host: "app.test" })
      for (const line of lines) headers.append("x-forwarded-host", line)
      expect(() => createActionURL("session", "https", headers, {})).toThrow("expected one host name")
    }
  })

  it.each([["https, http"], ["javascript"], ["ftp"], ["http://"], ["https,https"], ["ht:tp"]])(
    " refuses the protocol %j",
    { tags: ["threat:HO-20"] },
    (proto) => {
      const headers = headersOf({ host: "app.test", "x-forwarded-proto": proto })
      expect(() => createActionURL("session", "https", headers, {})).toThrow(
        /"protocol of the request": expected "http" or "https", received/,
      )
    },
  )

  it(" refuses a request without host", { tags: ["threat:HO-24"] }, () => {
    expect(() => createActionURL("session", "https", none, {})).toThrow(
      expect.objectContaining({ type: "UntrustedHost", message: expect.stringContaining("host of the request") }),
    )
  })
})
