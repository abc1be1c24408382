/** The readings of single names, beside those that whole forms show in `typed.test.ts`. */
import { describe, expect, it } from "vitest"
import { hiding, isOfSigns, readingsOfName, saysNumber } from "./name-readings.js"

const tags = ["threat:V6-06"]

describe("the readings of a name", () => {
  it("keep a negative number, which a column of numbers tells from the positive one", { tags }, () => {
    expect(readingsOfName("-123456", true)).toEqual(["-123456", "123456"])
  })

  it.each([
    ["#100-234", false],
    ["100-234#", true],
    ["100-234 #.", true],
    ["100234#", false],
    ["100#234", true],
    ["10#02", false],
  ])("of %j are those of a number with an ignored part: %s", { tags }, (name, isOne) => {
    for (const isOfDigits of [true, false]) expect(readingsOfName(name, isOfDigits).includes(hiding)).toBe(isOne)
  })

  it.each(["a1,234567", "ada#100-234#", "１,234567ａ"])(
    "are the name itself where it has letters: %j",
    { tags },
    (name) => {
      expect(readingsOfName(name, false)).toEqual([name])
      expect(readingsOfName(name, true)).toEqual([hiding])
    },
  )

  it("are the first and the last of several numbers", { tags }, () => {
    const read = readingsOfName("Tel 123456 or 234567 or 345678", true)
    expect(read).toContain("123456")
    expect(read).toContain("345678")
    expect(read).not.toContain("234567")
  })

  it.each([250, 251])("of a field for numbers are looked for in 250 characters: %i", { tags }, (length) => {
    const name = "123456".padEnd(length, ".")
    expect(readingsOfName(name, true).includes(hiding)).toBe(length > 250)
    expect(readingsOfName(name, false)).not.toContain(hiding)
  })
})

describe("a text beside another field", () => {
  it.each([
    ["+1", false],
    ["+1234", false],
    ["+12345", true],
    ["１２３４５", true],
    ["ada", true],
    ["\u{1d7cf}", true],
    ["1".padEnd(250, "."), false],
    ["1".padEnd(251, "."), true],
  ])("says whose number it is: %j %s", { tags }, (text, isOne) => {
    expect(saysNumber(text)).toBe(isOne)
  })

  it.each([
    ["-", true],
    ["+", true],
    ["ⓐ", false],
    ["7", false],
    ["🦊", false],
    [".".repeat(250), true],
    [".".repeat(251), false],
  ])("is signs alone: %j %s", { tags }, (text, isOne) => {
    expect(isOfSigns(text)).toBe(isOne)
  })
})
