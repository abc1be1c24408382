import { describe, expect, it } from "vitest"
import { isLoopbackHost, joinPath, originOf, withParams } from "./url.js"

describe("joinPath", () => {
  it.each([
    [["/auth", "signin", "github"], "/auth/signin/github"],
    [["/auth/", "/signin/"], "/auth/signin"],
    [["", "signin"], "/signin"],
    [["/", "signin"], "/signin"],
    [["", ""], "/"],
    [["https://app.test/base/", "auth", "callback"], "https://app.test/base/auth/callback"],
    [["/auth", "", "csrf"], "/auth/csrf"],
    [["/a//", "//b//", "///"], "/a/b"],
  ])("joins %j to %s [PA-12]", (parts, expected) => {
    expect(joinPath(...parts)).toBe(expected)
  })

  it("takes linear time for a wall of slashes [AL-01]", () => {
    const wall = "/".repeat(500_000)
    const start = performance.now()
    expect(joinPath(`${wall}a`, wall)).toBe(`${wall}a`)
    expect(performance.now() - start).toBeLessThan(200)
  })
})

describe("withParams", () => {
  it.each([
    ["/login", { error: "Callback" }, "/login?error=Callback"],
    ["/login?a=b%20c&flag", { error: "x y" }, "/login?a=b%20c&flag&error=x+y"],
    ["/login?", { error: "x" }, "/login?error=x"],
    ["/login#top", { error: "x" }, "/login?error=x#top"],
    [
      "https://app.test?x=1#y",
      { callbackUrl: "https://app.test/a?b=c&d" },
      "https://app.test?x=1&callbackUrl=https%3A%2F%2Fapp.test%2Fa%3Fb%3Dc%26d#y",
    ],
    ["/login?error=old&b=1&error=older", { error: "new" }, "/login?b=1&error=new"],
    ["/login", { error: undefined, code: "c" }, "/login?code=c"],
    ["/login", { error: undefined }, "/login"],
    ["/login?x=1", {}, "/login?x=1"],
    ["/login", { error: "<script>&#\r\n" }, "/login?error=%3Cscript%3E%26%23%0D%0A"],
  ])("adds to %s the members %j", (url, params, expected) => {
    expect(withParams(url, params)).toBe(expected)
  })
})

describe("isLoopbackHost", () => {
  it.each(["localhost", "LOCALHOST", "app.localhost", "127.0.0.1", "127.255.0.9", "::1", "[::1]"])(
    "knows %s",
    (host) => {
      expect(isLoopbackHost(host)).toBe(true)
    },
  )

  it.each([
    "",
    "localhost.evil.test",
    "127.0.0.1.nip.io",
    "evil-localhost",
    "notlocalhost",
    "127.0.0.1.",
    "127.0.0",
    "127.0.0.256",
    "127.0.0.x",
    "128.0.0.1",
    "0.0.0.0",
    "[::2]",
    "localhost:3000",
    "app.test",
  ])("does not take %j for the own machine [HO-16]", (host) => {
    expect(isLoopbackHost(host)).toBe(false)
  })
})

describe("originOf", () => {
  it.each([
    ["https://app.test/x?y#z", "https://app.test"],
    ["https://APP.test:443", "https://app.test"],
    ["http://u:p@app.test:8080/", "http://app.test:8080"],
    ["blob:https://app.test/1-2-3", undefined],
    ["javascript:alert(1)", undefined],
    ["ftp://app.test/", undefined],
    ["/x", undefined],
    ["", undefined],
    ["http://[", undefined],
  ])("reads from %j the origin %j", (url, expected) => {
    expect(originOf(url)).toBe(expected)
  })
})
