import { describe, expect, it } from "vitest"
import { sqlite } from "./dialects/sqlite.js"
import { asTime, isStorable } from "./values.js"

describe("isStorable", () => {
  it.each([
    ["plain", true],
    ["", true],
    ["👩‍👧 emoji", true],
    ["zero\u0000byte", false],
    ["half \ud83d", false],
    ["\udc00 half", false],
  ])("%j: %s", { tags: ["threat:FD-24"] }, (text, expected) => {
    expect(isStorable(text)).toBe(expected)
  })
})

describe("asTime", () => {
  it.each([
    ["2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z"],
    ["2026-01-02T03:04:05.678+02:00", "2026-01-02T01:04:05.678Z"],
    ["2026-01-02T03:04:05-11:00", "2026-01-02T14:04:05.000Z"],
    ["2026-01-02T03:04:05+14:00", "2026-01-01T13:04:05.000Z"],
    ["2026-01-02 03:04:05.678", "2026-01-02T03:04:05.678Z"],
    ["2026-01-02 03:04:05", "2026-01-02T03:04:05.000Z"],
    ["2026-01-02", "2026-01-02T00:00:00.000Z"],
    ["1767323045678", "2026-01-02T03:04:05.678Z"],
    [1767323045678, "2026-01-02T03:04:05.678Z"],
    [1, "1970-01-01T00:00:00.001Z"],
    [new Date("2026-01-02T03:04:05.678Z"), "2026-01-02T03:04:05.678Z"],
  ])("reads %j", { tags: ["threat:FD-20"] }, (value, expected) => {
    expect(asTime(value).toISOString()).toBe(expected)
  })

  it.each(["tomorrow", "", {}, Number.NaN, new Date(Number.NaN)])("refuses %j", (value) => {
    expect(() => asTime(value)).toThrow(TypeError)
  })

  it("hands out a date of its own", () => {
    const date = new Date(0)
    expect(asTime(date)).not.toBe(date)
  })
})

describe("columns of SQLite", () => {
  it.each([
    ["id", "text", "7", "7"],
    ["id", "text", 7, "7"],
    ["id", "integer", "7", 7],
    ["id", "integer", 7, 7],
    ["time", "text", new Date(1), "1970-01-01T00:00:00.001Z"],
    ["time", "integer", new Date(1), 1],
    ["boolean", "integer", true, 1],
    ["boolean", "integer", false, 0],
    ["integer", "integer", "12", 12],
    ["text", "text", { state: 1 }, '{"state":1}'],
    ["other", "text", true, 1],
    ["other", "text", ["a"], '["a"]'],
    ["other", "integer", new Date(1), 1],
    ["text", "text", null, null],
    ["text", "text", undefined, null],
  ] as const)("%s in %s takes %j as %j", (kind, declared, value, expected) => {
    expect(sqlite.toColumn(value, { name: "it", kind, declared })).toBe(expected)
  })

  it.each([
    ["id", "integer", "07"],
    ["id", "integer", "7.0"],
    ["id", "integer", "1e3"],
    ["id", "integer", "99999999999999999999"],
    ["id", "integer", "abc"],
    ["id", "integer", 1.5],
    ["text", "text", "zero\u0000byte"],
    ["integer", "integer", "many"],
    ["integer", "integer", Number.POSITIVE_INFINITY],
    ["time", "text", new Date(Number.NaN)],
    ["other", "text", "half \ud800"],
  ] as const)("%s in %s refuses %j", (kind, declared, value) => {
    expect(() => sqlite.toColumn(value, { name: "it", kind, declared })).toThrow(TypeError)
  })

  it.each([
    ["boolean", 1, true],
    ["boolean", 0, false],
    ["boolean", "1", true],
    ["integer", "12", 12],
    ["text", "2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z"],
    ["time", null, null],
  ] as const)("%s reads %j as %j", (kind, value, expected) => {
    expect(sqlite.fromColumn(value, { name: "it", kind, declared: "" })).toBe(expected)
  })
})

describe("a lock held by somebody else", () => {
  const coded = (code: string, message = ""): Error => Object.assign(new Error(message), { code })
  it.each([
    [coded("SQLITE_BUSY"), true],
    [coded("SQLITE_BUSY_SNAPSHOT"), true],
    [coded("SQLITE_LOCKED"), true],
    [new Error("database is locked"), true],
    [new Error("database table is locked"), true],
    [coded("SQLITE_CONSTRAINT_UNIQUE", "UNIQUE constraint failed: users.email"), false],
    [coded("SQLITE_FULL"), false],
    ["SQLITE_BUSY", false],
  ])("%s: %s", (error, expected) => {
    expect(sqlite.faults.isBusy(error)).toBe(expected)
  })
})
