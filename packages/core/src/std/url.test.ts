import { describe, expect, it } from "vitest"
import { isLoopbackHost, isUrl, pathSegment, readAddress, readOrigin, urlOf, withParams } from "./url.js"

describe("pathSegment", () => {
  it.each([
    ["a b/c?d#e", "a%20b%2Fc%3Fd%23e"],
    ["a:b@c", "a:b@c"],
    ["::@@", "::@@"],
    ["a\ud800b", "a%EF%BF%BDb"],
    ["\ud83d\ude00", "%F0%9F%98%80"],
  ])("writes %j as %s", (text, expected) => {
    expect(pathSegment(text)).toBe(expected)
  })
})

describe("urlOf", () => {
  it("reads an address, absolute or with a base, and nothing else", () => {
    expect(urlOf("https://app.test/x")?.href).toBe("https://app.test/x")
    expect(urlOf("/x", "https://app.test")?.href).toBe("https://app.test/x")
    expect(urlOf("/x")).toBeUndefined()
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
    ["?a=1", { error: "x" }, "?a=1&error=x"],
    ["#top", { error: "x" }, "?error=x#top"],
    ["/login?", {}, "/login?"],
    ["/login?&a=1", { error: "x" }, "/login?&a=1&error=x"],
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
    "127.0.0.1e1",
    "127.0.0.+1",
    "127.0.0.0001",
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

describe("readAddress and readOrigin", () => {
  it("read no origin out of the middle of an address, and none with a port that is no number", () => {
    for (const text of ["javascript:https://app.test/", "data:,https://app.test/x"]) {
      expect([text, readOrigin(text)?.origin, readAddress(text)?.origin]).toEqual([text, "null", "null"])
    }
    expect(readOrigin("https://app.test:1abcd/")).toBeUndefined()
  })

  const schemes = [
    "https://",
    "http://",
    "HTTPS://",
    "https:/",
    "https:",
    "ftp://",
    "ws://",
    "javascript:",
    "",
    " https://",
    "//",
  ]
  const hosts = [
    ...[
      "app.test",
      "localhost",
      "a-b.c1.test",
      "a..b",
      "a.",
      ".a",
      "-a.test",
      "a-",
      "a--b.test",
      "APP.test",
      "app_x.test",
    ],
    ...[
      "1.2.3.4",
      "127.1",
      "0x7f.1",
      "a.1",
      "a.0x1",
      "1a.test",
      "a.b1",
      "xn--9ca.test",
      "a.xn--zz.test",
      "xn--.test",
      "axn--b.c",
    ],
    ...[
      "app.test@evil.test",
      "app.test:x@evil.test",
      "app.test%2eevil",
      "ä.test",
      "a\tb.test",
      "a b.test",
      "[::1]",
      "[::1",
      "",
    ],
    ...[
      "app.test\\evil.test",
      "app.test?evil.test",
      "app.test#evil.test",
      "app.test\n.evil.test",
      "a\u00adb.test",
      "app。test",
    ],
  ]
  const ports = [
    "",
    ":",
    ":80",
    ":443",
    ":8080",
    ":4430",
    ":0443",
    ":65535",
    ":65536",
    ":59999",
    ":99999",
    ":08080",
    ":1",
    ":99",
    ":x",
  ]
  const rests = [
    ...[
      "",
      "/",
      "/auth/session",
      "/auth/session/",
      "//",
      "/a//b",
      "/a_b-c/1",
      "/../x",
      "/./x",
      "/a/../b",
      "/%2e%2e/x",
      "/a%20b",
    ],
    ...[
      "/a b",
      "/ä",
      "/a?b=c",
      "/?x='\"<>",
      "/a#b",
      "?x",
      "#x",
      "/a\\b",
      "/a\tb",
      "/a\n",
      "/a;b",
      "/a.b",
      "/a?",
      "/a#",
      " ",
    ],
  ]
  const addresses = schemes.flatMap((scheme) =>
    hosts.flatMap((host) => [
      ...ports.flatMap((port) => ["", "/", "/auth/session", "?x"].map((rest) => scheme + host + port + rest)),
      ...rests.flatMap((rest) => [scheme + host + rest, `${scheme}${host}:8080${rest}`]),
    ]),
  )

  const partsOf = (url: Partial<URL> | undefined, names: readonly (keyof URL)[]): unknown =>
    url && names.map((name) => url[name])
  // `URL.canParse` of Node 20 refuses some hosts beyond ASCII that `URL` takes.
  const urlOrNone = (text: string): URL | undefined => {
    try {
      return new URL(text)
    } catch {
      return undefined
    }
  }

  it("finds the parts that a URL has, whatever the address", { tags: ["threat:HO-09", "threat:HO-11"] }, () => {
    const names = ["origin", "protocol", "hostname", "pathname", "search"] as const
    const other = addresses.filter(
      (text) => JSON.stringify(partsOf(readAddress(text), names)) !== JSON.stringify(partsOf(urlOrNone(text), names)),
    )
    expect(addresses.length).toBeGreaterThan(40_000)
    expect(other).toEqual([])
  })

  it("finds the origin that a URL has, whatever the address", { tags: ["threat:HO-09", "threat:HO-11"] }, () => {
    const names = ["origin", "protocol", "hostname"] as const
    const other = addresses.filter(
      (text) => JSON.stringify(partsOf(readOrigin(text), names)) !== JSON.stringify(partsOf(urlOrNone(text), names)),
    )
    expect(other).toEqual([])
  })

  it("makes no URL of an address in its usual spelling", () => {
    expect(readAddress("https://app.test:8443/auth/session")).not.toBeInstanceOf(URL)
    expect(readOrigin("http://localhost:3000/a/../b?c#d")).not.toBeInstanceOf(URL)
  })
})

it("a host beyond ASCII is one however often it is asked for", () => {
  const answers = Array.from({ length: 20_000 }, () => isUrl("https://ä.test/"))
  expect(answers.every((isOne) => isOne)).toBe(true)
  expect([isUrl("/path"), isUrl("/path", "https://app.test"), isUrl("https://")]).toEqual([false, true, false])
})
