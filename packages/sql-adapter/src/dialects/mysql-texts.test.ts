import { describe, expect, it } from "vitest"
import { fittingText, isExact } from "./mysql-texts.js"

describe("isExact", { tags: ["threat:FD-21"] }, () => {
  it.each([
    ["varchar(255) collate utf8mb4_nopad_bin", true],
    ["varchar(255) collate utf8mb4_0900_bin", true],
    ["bigint(20)", true],
    ["varbinary(255)", true],
    // Binary, and yet padded with spaces.
    ["varchar(255) collate utf8mb4_bin", false],
    ["varchar(255) collate utf8mb4_general_ci", false],
    ["varchar(255) collate utf8mb4_0900_ai_ci", false],
    ["varchar(255) collate latin1_bin", false],
  ])("%s: %s", (declared, expected) => {
    expect(isExact(declared)).toBe(expected)
  })
})

describe("fittingText", { tags: ["threat:FD-22"] }, () => {
  it.each([
    ["abc", "varchar(3) collate utf8mb4_bin"],
    ["👩👩👩", "varchar(3) collate utf8mb4_bin"],
    ["x".repeat(65_535), "text collate utf8mb4_bin"],
    ["éü", "varchar(9) collate utf8mb3_general_ci"],
    ["abc", "varchar(9) collate latin1_swedish_ci"],
    ["any", "longtext collate utf8mb4_bin"],
    ["any", ""],
    ["é", "varbinary(2)"],
  ])("%s fits %s", (text, declared) => {
    expect(fittingText(text, declared)).toBe(text)
  })

  it.each([
    ["abcd", "varchar(3) collate utf8mb4_bin"],
    ["x".repeat(65_536), "text collate utf8mb4_bin"],
    ["é".repeat(128), "tinytext collate utf8mb4_bin"],
    ["👩", "varchar(9) collate utf8mb3_general_ci"],
    ["é", "varchar(9) collate latin1_swedish_ci"],
    ["éé", "varbinary(3)"],
    ["a ", "char(9) collate utf8mb4_nopad_bin"],
    ["a\u0000", "varchar(9) collate utf8mb4_nopad_bin"],
  ])("%s does not fit %s", (text, declared) => {
    expect(() => fittingText(text, declared)).toThrow(TypeError)
  })
})
