import { describe, expect, it } from "vitest"
import { DamagedRowError, decode, encode, given, milliseconds, wholeUser } from "./values.js"

const back = (row: object): object => decode(encode(row), "row")

describe("encode and decode", () => {
  it.each([
    [{ a: null, b: true, c: 1.5, d: "text", e: ["x", { f: 1 }], g: {} }],
    [{ born: new Date("2026-01-02T03:04:05.678Z"), nested: { at: new Date(0) } }],
    [{ text: "2026-01-02T03:04:05.678Z", other: '{"$date":"2026-01-02T03:04:05.678Z"}' }],
    [{ odd: "half\ud800", zero: "\u0000", emoji: "👩‍👩‍👧‍👦", big: "x".repeat(20_000) }],
    [JSON.parse('{"__proto__":{"polluted":true}}')],
  ])("keep %j", (row) => {
    expect(back(row)).toEqual(row)
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
  })

  it("leave out what is not given", () => {
    expect(back({ a: undefined, b: 1 })).toEqual({ b: 1 })
  })

  it("take a big integer for a number, and refuse a date that is none", () => {
    expect(back({ id: 7n })).toEqual({ id: 7 })
    expect(() => encode({ at: new Date(Number.NaN) })).toThrow("invalid")
  })

  it.each(["", "[1]", "null", '"text"', "{", '{"secret"'])("refuse %j without repeating it", (text) => {
    const read = (): unknown => decode(text, "user")
    expect(read).toThrow(DamagedRowError)
    expect(read).toThrow("The user in Redis cannot be read")
    if (text.includes("secret")) expect(read).not.toThrow("secret")
  })
})

describe("milliseconds", () => {
  it("reads dates and ISO text", () => {
    expect(milliseconds(new Date(5))).toBe(5)
    expect(milliseconds("1970-01-01T00:00:00.005Z")).toBe(5)
  })

  it.each([null, undefined, 5, "soon", new Date(Number.NaN)])("refuses %s", (value) => {
    expect(() => milliseconds(value)).toThrow("Expected a date")
  })
})

describe("rows", () => {
  it("of users have every member the service knows", () => {
    expect(wholeUser({ id: "a", email: null, extra: 1, name: undefined })).toEqual({
      id: "a",
      name: null,
      email: "",
      emailVerified: null,
      image: null,
      extra: 1,
    })
  })

  it("take undefined for not given", () => {
    expect(given({ a: undefined, b: null })).toEqual({ b: null })
  })
})
