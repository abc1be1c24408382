import { describe, expect, it } from "vitest"
import { isDate, secondsAfter, toSeconds } from "./time.js"

describe("isDate", () => {
  it.each([
    "2026-01-31T10:00Z",
    "2026-01-31T10:00:00Z",
    "2026-01-31T10:00:00.123Z",
    "2026-01-31T10:00:00+02:00",
    "2026-01-31T10:00:00.1-0530",
  ])("takes %s for a date", (text) => {
    expect(isDate(text)).toBe(true)
  })

  it.each([
    "2026-01-31",
    "2026-01-31T10:00:00",
    "2026-13-31T10:00:00Z",
    "2026-01-31 10:00:00Z",
    " 2026-01-31T10:00:00Z",
    "10",
    "",
    10,
    null,
    undefined,
    new Date(),
  ])("does not take %j for a date", (value) => {
    expect(isDate(value)).toBe(false)
  })
})

describe("seconds", () => {
  it("are whole and counted from 1970", () => {
    expect(toSeconds(new Date("1970-01-01T00:01:00.999Z"))).toBe(60)
  })

  it("move a date without touching it", () => {
    const date = new Date("2026-01-01T00:00:00.500Z")
    expect(secondsAfter(date, 90).toISOString()).toBe("2026-01-01T00:01:30.500Z")
    expect(date.toISOString()).toBe("2026-01-01T00:00:00.500Z")
  })
})
