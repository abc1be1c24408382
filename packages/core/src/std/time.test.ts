import { describe, expect, it } from "vitest"
import { isDate, secondsAfter, toIsoText, toSeconds } from "./time.js"

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

describe("toIsoText", () => {
  it.each([
    0, 1, -1, 951_782_399_999, 951_868_800_000, 1_709_164_800_000, 1_735_689_599_999, 4_102_444_799_050,
    // The first and the last moment of the years with four digits, and beside them.
    -30_610_224_000_000, -30_610_224_000_001, 253_402_300_799_999, 253_402_300_800_000, -62_198_755_200_000,
    8_640_000_000_000_000, -8_640_000_000_000_000,
  ])("writes %d ms after 1970 as the engine does", (milliseconds) => {
    const date = new Date(milliseconds)
    expect(toIsoText(date)).toBe(date.toISOString())
  })

  it("writes each day and each hour of four centuries as the engine does", () => {
    const other: string[] = []
    for (let hour = 0; hour < 400 * 366 * 24; hour += 23) {
      const date = new Date(Date.UTC(1800, 0, 1, hour, hour % 60, (hour * 7) % 60, hour % 1000))
      if (toIsoText(date) !== date.toISOString()) other.push(date.toISOString())
    }
    expect(other).toEqual([])
  })

  it("refuses what is no date", () => {
    expect(() => toIsoText(new Date(Number.NaN))).toThrow(RangeError)
  })
})
