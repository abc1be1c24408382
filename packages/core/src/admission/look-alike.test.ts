import { describe, expect, it } from "vitest"
import { seemsGivenOut } from "./look-alike.js"

describe("an id that looks like one that a provider gives out", () => {
  it.each([
    ["1234567", false],
    ["007", false],
    ["+7", false],
    ["1e3", false],
    ["12345678e9", false],
    ["12.0", false],
    ["1234567   ", false],
    ["１２３", true],
    ["１e3", false],
    ["١٢٣", true],
    ["12\u200b3", true],
    ["123\u0301", true],
    ["123\t", true],
    ["123🍣", true],
    ["123\u0363", true],
    ["12\u03453", true],
    ["123𝐚", true],
    ["123𝐚b", false],
    ["🍣", false],
    ["一二三", false],
    ["１２３ab", false],
    ["0B6CF5E8-0000-4abc-8def-0123456789aｂ", true],
  ])("%j: %j", (id, expected) => expect(seemsGivenOut(id)).toBe(expected))

  it("is found behind many characters that nobody sees", { tags: ["threat:FD-21"] }, () => {
    expect(seemsGivenOut(`${"\u200b".repeat(600)}7`)).toBe(true)
    expect(seemsGivenOut(`${"\u06de".repeat(510)}12`)).toBe(true)
    expect(seemsGivenOut(`${"\0".repeat(100_000)}7`)).toBe(true)
  })

  it("is any that is too long to be looked at, and no plain ASCII", { tags: ["threat:FD-21"] }, () => {
    expect(seemsGivenOut("é".repeat(4096))).toBe(false)
    expect(seemsGivenOut("é".repeat(4097))).toBe(true)
    expect(seemsGivenOut("a".repeat(100_000))).toBe(false)
  })
})
