import { sql } from "kysely"
import { describe, expect, it } from "vitest"
import { holdsIntegers, integerKey } from "./columns.js"
import { mysql } from "./mysql.js"
import { postgresql } from "./postgresql.js"
import { dialectNamed, dialectOf } from "./select.js"

describe("integerKey", () => {
  it.each([
    ["1", "integer", 1n],
    [7, "serial", 7n],
    ["2147483647", "integer", 2147483647n],
    ["4294967295", "int(10) unsigned", 4294967295n],
    ["9223372036854775807", "bigint", 9223372036854775807n],
    ["-5", "smallint", -5n],
  ])("%j is a key of %s", (value, declared, expected) => {
    expect(integerKey(value, declared)).toBe(expected)
  })

  it.each([
    ["2147483648", "integer"],
    ["32768", "smallint"],
    ["99999999999999999999", "bigint"],
    ["01", "integer"],
    ["1.0", "integer"],
    ["1e3", "integer"],
    [" 1", "integer"],
    ["-0", "integer"],
    ["", "integer"],
  ])("%j is no key of %s", (value, declared) => {
    expect(() => integerKey(value, declared)).toThrow(TypeError)
  })

  it.each([
    ["integer", true],
    ["bigserial", true],
    ["tinyint(1)", true],
    ["interval", false],
    ["point", false],
    ["enum('intern','guest')", false],
    ["text", false],
    ["timestamp with time zone", false],
  ])("%s holds integers: %s", (declared, expected) => {
    expect(holdsIntegers(declared)).toBe(expected)
  })
})

describe("columns of PostgreSQL", () => {
  const uuid = "0b7d0b3c-8f0e-4f0e-9c39-4f0a3c1d2e3f"
  it.each([
    ["id", "uuid", uuid, uuid],
    ["id", "bigint", "9223372036854775807", "9223372036854775807"],
    ["time", "timestamp with time zone", new Date(1), "1970-01-01T00:00:00.001Z"],
    ["time", "bigint", new Date(1), 1],
    ["boolean", "boolean", 1, true],
    ["boolean", "integer", true, 1],
    ["other", "jsonb", ["a"], '["a"]'],
    ["other", "text[]", ["a"], ["a"]],
    ["other", "text", { a: 1 }, '{"a":1}'],
  ] as const)("%s in %s takes %j as %j", (kind, declared, value, expected) => {
    expect(postgresql.toColumn(value, { name: "it", kind, declared })).toEqual(expected)
  })

  it.each([
    ["id", "uuid", uuid.toUpperCase()],
    ["id", "uuid", "x"],
    ["text", "character(9)", "a "],
    ["text", "uuid", uuid.toUpperCase()],
    ["text", "bigint", "01"],
    ["text", "numeric(9,2)", "1.0"],
    ["id", "numeric", "01"],
    ["text", "double precision", "1e3"],
    ["other", "text", "a\u0000"],
  ] as const)("%s in %s refuses %j", (kind, declared, value) => {
    expect(() => postgresql.toColumn(value, { name: "it", kind, declared })).toThrow(TypeError)
  })
})

describe("a second comparison, where the first is loose", { tags: ["threat:FD-21"] }, () => {
  it.each([
    [postgresql, "text", false, false],
    [postgresql, "text", true, true],
    [postgresql, "character varying(255)", false, false],
    [postgresql, "bigint", false, false],
    [postgresql, "uuid", false, false],
    [postgresql, "citext", false, true],
    [postgresql, "a_domain", false, true],
    [postgresql, "double precision", false, true],
    [mysql, "varchar(255) collate utf8mb4_nopad_bin", false, false],
    [mysql, "varchar(255) collate utf8mb4_general_ci", false, true],
    [mysql, "varbinary(255)", false, false],
    [mysql, "int(11)", false, false],
    [mysql, "uuid", false, false],
    [mysql, "decimal(30,0)", false, true],
    [mysql, "double", false, true],
  ] as const)("$name, %s, loose beyond that %s: %s", (dialect, declared, isLoose, expected) => {
    const column = { name: "it", kind: "text", declared, ...(isLoose && { isLoose }) } as const
    for (const value of ["a", ["a", "b"]]) {
      const { sql: text } = sql`${dialect.isSame("it", value, column)}`.compile(dialect.builder)
      expect(text.includes(" and ")).toBe(expected)
    }
  })
})

describe("keys of PostgreSQL that the driver may round are read as text", { tags: ["threat:RC-10"] }, () => {
  it.each([
    ["id", "bigint", true],
    ["text", "bigint", true],
    ["id", "numeric(20,0)", true],
    ["id", "integer", false],
    ["id", "text", false],
    ["integer", "bigint", false],
  ] as const)("%s in %s: %s", (kind, declared, expected) => {
    const { sql: text } = sql`${postgresql.selected("it", { name: "it", kind, declared })}`.compile(postgresql.builder)
    expect(text).toBe(expected ? '"it"::text' : '"it"')
  })
})

describe("keys of MySQL that the driver may round are read as text", { tags: ["threat:RC-10"] }, () => {
  it.each([
    ["id", "bigint(20)", true],
    ["id", "decimal(20,0)", true],
    ["text", "decimal(20,0) unsigned", true],
    ["id", "int(11)", false],
    ["id", "varchar(255)", false],
    ["integer", "decimal(20,0)", false],
  ] as const)("%s in %s: %s", (kind, declared, expected) => {
    const { sql: text } = sql`${mysql.selected("it", { name: "it", kind, declared })}`.compile(mysql.builder)
    expect(text).toBe(expected ? "cast(`it` as char)" : "`it`")
  })
})

describe("columns of MySQL", () => {
  it.each([
    ["id", "bigint(20)", "01"],
    ["text", "bigint(20)", "1:x"],
    ["text", "decimal(30,0)", "1.0"],
    ["text", "double", "1x"],
    ["text", "uuid", "0B7D0B3C-8F0E-4F0E-9C39-4F0A3C1D2E3F"],
  ] as const)("%s in %s refuses %j", { tags: ["threat:FD-21"] }, (kind, declared, value) => {
    expect(() => mysql.toColumn(value, { name: "it", kind, declared })).toThrow(TypeError)
  })

  it.each([
    ["time", "datetime(3)", new Date(1), "1970-01-01 00:00:00.001"],
    ["time", "varchar(30)", new Date(1), "1"],
    ["time", "bigint(20)", new Date(1), 1],
    ["id", "bigint(20)", "7", 7],
    ["other", "json", { a: 1 }, '{"a":1}'],
    ["other", "tinyint(1)", true, 1],
  ] as const)("%s in %s takes %j as %j", (kind, declared, value, expected) => {
    expect(mysql.toColumn(value, { name: "it", kind, declared })).toEqual(expected)
  })

  it("hands keys beyond 2^53 over as text, and reads them so", () => {
    const column = { name: "id", kind: "id", declared: "bigint(20)" } as const
    expect(mysql.toColumn("9007199254740993", column)).toBe("9007199254740993")
    expect(mysql.fromColumn("9007199254740993", column)).toBe("9007199254740993")
    expect(mysql.fromColumn("41", column)).toBe(41)
  })
})

describe("faults", () => {
  const coded = (code: string, message = ""): Error => Object.assign(new Error(message), { code })
  it.each([
    [postgresql, "40001", { isBusy: true, isConflict: true, isDuplicate: false, isLost: false }],
    [postgresql, "40P01", { isBusy: true, isConflict: true, isDuplicate: false, isLost: false }],
    [postgresql, "55P03", { isBusy: true, isConflict: false, isDuplicate: false, isLost: false }],
    [postgresql, "23505", { isBusy: false, isConflict: false, isDuplicate: true, isLost: false }],
    [postgresql, "57P01", { isBusy: false, isConflict: false, isDuplicate: false, isLost: true }],
    [postgresql, "25006", { isBusy: false, isConflict: false, isDuplicate: false, isLost: false }],
    [mysql, "ER_LOCK_DEADLOCK", { isBusy: true, isConflict: true, isDuplicate: false, isLost: false }],
    [mysql, "ER_LOCK_WAIT_TIMEOUT", { isBusy: true, isConflict: false, isDuplicate: false, isLost: false }],
    [mysql, "ER_DUP_ENTRY", { isBusy: false, isConflict: false, isDuplicate: true, isLost: false }],
    [mysql, "PROTOCOL_CONNECTION_LOST", { isBusy: false, isConflict: false, isDuplicate: false, isLost: true }],
  ] as const)("of $name: %s", ({ faults }, code, expected) => {
    const error = coded(code)
    for (const [check, value] of Object.entries(expected)) {
      expect(faults[check as keyof typeof expected](error), check).toBe(value)
    }
  })
})

describe("the dialect", () => {
  it.each([
    ["mariadb", "mysql"],
    ["postgres", "postgresql"],
    ["sqlite", "sqlite"],
  ])("%s is %s", (name, expected) => {
    expect(dialectNamed(name).name).toBe(expected)
  })

  it.each([postgresql, mysql])("$name is recognised from a Kysely instance", (dialect) => {
    expect(dialectOf(dialect.builder)).toBe(dialect)
  })
})
