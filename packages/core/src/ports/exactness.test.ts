import { describe, expect, it } from "vitest"
import { mayBeIdOf, mayFold } from "./exactness.js"

describe("an id that a database may find by another", () => {
  it.each([
    ["jose", true],
    ["dead-beef", true],
    ["1234567x", true],
    ["1234567", false],
    ["0B6CF5E8-0000-4abc-8def-0123456789ab", false],
  ])("%s: %j", (id, expected) => expect(mayFold(id)).toBe(expected))
})

describe("the account that was found", () => {
  it.each([
    ["jose", "jose", true],
    ["jose    ", "jose", true],
    ["jose", "jose ", false],
    ["jose", "Jose", false],
    ["jose", "josé", false],
    ["josé", "jose", false],
    ["jose\0", "jose", false],
    ["jose-before", "jose", true],
  ])("%j, asked for %j: %j", (providerAccountId, asked, expected) =>
    expect(mayBeIdOf({ providerAccountId }, asked)).toBe(expected),
  )

  it.each([null, {}, { providerAccountId: null as never }])("%j does not say its id, and is believed", (row) =>
    expect(mayBeIdOf(row, "jose")).toBe(true),
  )
})
