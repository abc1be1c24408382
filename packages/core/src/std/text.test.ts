import { describe, expect, it } from "vitest"
import { cutTo, hasControlCharacters, onOneLine, printable, quoted } from "./text.js"

describe("control characters", () => {
  it.each(["\0", "\t", "a\n", "\rb", "\u001f", "a\u007fb"])("are found in %j", (text) => {
    expect(hasControlCharacters(text)).toBe(true)
  })

  it.each(["", " ", "~", "a b", "\u0080", "日本"])("are not found in %j", (text) => {
    expect(hasControlCharacters(text)).toBe(false)
  })
})

describe("text from outside", () => {
  it("is cut with a mark where it is too long", () => {
    expect([cutTo(3, "abc"), cutTo(3, "abcd")]).toEqual(["abc", "abc…"])
  })

  it.each([
    ["github", '"github"'],
    ["x".repeat(64), `"${"x".repeat(64)}"`],
    ["x".repeat(65), `"${"x".repeat(64)}…"`],
    ['a"b', '"a\\"b"'],
    ["a\nb\u001b[2J", '"a\\nb\\x1b[2J"'],
  ])("is quoted in a message: %j", { tags: ["threat:HT-40"] }, (name, shown) => {
    expect(quoted(name)).toBe(shown)
  })

  it.each([
    ["plain ASCII and ünïcödé, 日本", "plain ASCII and ünïcödé, 日本"],
    ["a\tb\nc", "a\tb\nc"],
    ["a\rb\u0000c\u007f", "a\\x0db\\x00c\\x7f"],
    ["\u001b[31m", "\\x1b[31m"],
    ["\u009b2J", "\\x9b2J"],
    ["a\u202eb\u2066\u2028\ufeff", "a\\u202eb\\u2066\\u2028\\ufeff"],
  ])("shows what steers a terminal as its code: %j", { tags: ["threat:HT-40"] }, (text, shown) => {
    expect(printable(text)).toBe(shown)
  })

  it("stays on one line where it has to", () => {
    expect(onOneLine("a\nb")).toBe("a\\nb")
  })
})
