import { describe, expect, it } from "vitest"
import { isLoopbackHost, withParams } from "./url.js"

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
  ])("does not take %j for the own machine", { tags: ["threat:HO-16"] }, (host) => {
    expect(isLoopbackHost(host)).toBe(false)
  })
})
