import { describe, expect, it } from "vitest"
import { encodeValue, parseCookies, serialiseCookie } from "./cookie.js"

describe("parseCookies", () => {
  it.each([
    ["a=1; b=2", { a: "1", b: "2" }, "CK-06"],
    ["a=1; a=2", { a: "1" }, "CK-06"],
    ["=__Host-authjs.csrf-token=x; b=1", { b: "1" }, "CK-04"],
    ["authjs.session-token; b=1", { b: "1" }, "CK-04"],
    ["a;b;;;c=1;", { c: "1" }, "CK-12"],
    ['a="b; c="d"', { a: '"b', c: '"d"' }, "CK-12"],
    ["a=%; b=%zz; c=%25", { a: "%", b: "%zz", c: "%" }, "CK-12"],
    ["a=%2525", { a: "%25" }, "CK-13"],
    ["a=%00; b=x%0d%0ay; c=%7f; d=1", { d: "1" }, "CK-13"],
    ["A=1; a=2", { A: "1", a: "2" }, "CK-35"],
    ["__host-x=1; \u2000__Host-x=2", { "__host-x": "1", "\u2000__Host-x": "2" }, "CK-03"],
    [" a = 1 ;\tb\t=\t2", { a: "1", b: "2" }, "CK-03"],
    ["a=b=c==", { a: "b=c==" }, "CK-12"],
    ["a=x\u0001y; b=\u007f; c=1", { a: "x\u0001y", b: "\u007f", c: "1" }, "CK-12"],
    ["a=\u{1f600}\x80", { a: "\u{1f600}\x80" }, "CK-12"],
    ["a=", { a: "" }, "CK-12"],
    ["", {}, "CK-12"],
    ["=", {}, "CK-12"],
  ])("reads %j as %j [%s]", (header, expected, _row) => {
    expect(Object.fromEntries(parseCookies(header))).toEqual(expected)
  })

  it("has no entry for what it leaves out", { tags: ["threat:CK-13"] }, () => {
    expect([...parseCookies("a=%00; b=x%0d%0ay; d=1").keys()]).toEqual(["d"])
  })

  it("reads no header as no cookies", () => {
    expect(parseCookies(null).size).toBe(0)
    expect(parseCookies(undefined).size).toBe(0)
  })

  it("keeps names of the prototype apart", { tags: ["threat:CK-14", "threat:PP-10"] }, () => {
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"])
      expect(parseCookies("a=1").get(name), name).toBeUndefined()
    const cookies = parseCookies("__proto__=1; constructor=2; toString=3; hasOwnProperty=4")
    expect([...cookies]).toEqual([
      ["__proto__", "1"],
      ["constructor", "2"],
      ["toString", "3"],
      ["hasOwnProperty", "4"],
    ])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it.each([
    ["10,000 pairs", Array.from({ length: 10_000 }, (_, index) => `c${index}=${index}`).join("; ")],
    ["200 cookies of an attacker", Array.from({ length: 200 }, (_, index) => `authjs.${index}=x`).join("; ")],
    ["64 KiB without a pair", ";a".repeat(32_768)],
    ["64 KiB of semicolons", ";".repeat(65_536)],
    ["one pair behind 64 KiB", `${"a;".repeat(32_768)}x=1`],
    ["64 KiB of equal signs", "=".repeat(65_536)],
    ["64 KiB of blanks", `a=${" ".repeat(65_536)}`],
  ])(
    "reads %s in a time that grows with its length alone",
    { tags: ["threat:CK-10", "threat:CK-11", "threat:AL-20"] },
    (_name, header) => {
      /** Processor time of the quickest of several readings, in microseconds: other work of the machine does not count. */
      const cost = (text: string): number => {
        const readings = Array.from({ length: 7 }, () => {
          const { user, system } = process.cpuUsage()
          for (let turn = 0; turn < 4; turn += 1) parseCookies(text)
          const after = process.cpuUsage()
          return after.user + after.system - user - system
        })
        return Math.min(...readings)
      }
      const half = header.slice(0, header.length / 2)
      // Work that grows with the square takes four times as long for twice the length, and 16 times for four times.
      expect(cost(header.repeat(2))).toBeLessThan(12 * cost(half) + 20_000)
    },
  )
})

describe("serialiseCookie", () => {
  it("writes the attributes in one order", () => {
    const attributes = {
      sameSite: "lax",
      priority: "high",
      partitioned: true,
      secure: true,
      httpOnly: true,
      expires: new Date("2030-01-02T03:04:05Z"),
      path: "/",
      domain: "app.test",
      maxAge: 60,
    } as const
    expect(serialiseCookie("n", "a|b:c/", attributes)).toBe(
      "n=a%7Cb%3Ac%2F; Max-Age=60; Domain=app.test; Path=/; Expires=Wed, 02 Jan 2030 03:04:05 GMT; HttpOnly; Secure; Partitioned; Priority=High; SameSite=Lax",
    )
  })

  it.each([
    ["n", "x; Domain=evil.test", {}, "n=x%3B%20Domain%3Devil.test"],
    ["n", "x\r\nSet-Cookie: a=b", {}, "n=x%0D%0ASet-Cookie%3A%20a%3Db"],
    ["n", "x", { domain: undefined, maxAge: undefined }, "n=x"],
    ["n", "a b", { encode: (value: string) => value.replace(" ", "_") }, "n=a_b"],
    ["n", "", { maxAge: 0 }, "n=; Max-Age=0"],
  ])("writes %s=%j with %j", { tags: ["threat:CK-24", "threat:HT-39"] }, (name, value, attributes, expected) => {
    expect(serialiseCookie(name, value, attributes)).toBe(expected)
  })

  it.each([
    ["n;x", "v", {}],
    ["n\r\n", "v", {}],
    ["n", "v", { path: "/;x" }],
    ["n", "v", { domain: "a b" }],
    ["n", "v", { maxAge: 1.5 }],
    ["n", "v", { expires: new Date(Number.NaN) }],
    ["n", "a;b", { encode: (value: string) => value }],
  ])("refuses %j=%j with %j", { tags: ["threat:CK-24"] }, (name, value, attributes) => {
    expect(() => serialiseCookie(name, value, attributes)).toThrow(TypeError)
  })
})

describe("encodeValue", () => {
  it("encodes every character as the engine does", { tags: ["threat:CK-24"] }, () => {
    for (let code = 0; code < 0x3000; code += 1) {
      const character = String.fromCharCode(code)
      for (const text of [character, `eyJ.${character}`, `${character}x`]) {
        expect(encodeValue(text)).toBe(encodeURIComponent(text))
      }
    }
  })
})
