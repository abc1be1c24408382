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
    ["🍣", false],
    ["一二三", false],
    ["１２３ab", false],
    ["0B6CF5E8-0000-4abc-8def-0123456789aｂ", true],
  ])("%j: %j", (id, expected) => expect(seemsGivenOut(id)).toBe(expected))

  it("is found behind 100,000 characters that nobody sees", () => {
    expect(seemsGivenOut(`${"\u200b".repeat(100_000)}7`)).toBe(true)
  })
})
