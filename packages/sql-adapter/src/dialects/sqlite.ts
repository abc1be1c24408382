/** SQLite, whichever driver runs it. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely"
import type { ColumnKind } from "../schema.js"
import { asBoolean, asNumber, asTime, storableText } from "../values.js"
import type { DeclaredType, SqlDialect, Tables } from "./dialect.js"

const builder: Kysely<Tables> = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

const holdsIntegers = (declared: DeclaredType): boolean => declared.includes("int")

/** A key of an existing table may be a number; its text must name the same row and no other. */
function idToColumn(value: unknown, declared: DeclaredType): unknown {
  if (!holdsIntegers(declared)) return storableText(String(value))
  const number =
    typeof value === "number" ? value : /^(0|-?[1-9]\d{0,15})$/.test(String(value)) ? Number(value) : Number.NaN
  if (Number.isSafeInteger(number)) return number
  throw new TypeError("This id is no integer, as the table demands.")
}

/** UTC text with milliseconds; a column that was made for integers gets milliseconds since 1970. */
function timeToColumn(value: unknown, declared: DeclaredType): unknown {
  const time = asTime(value)
  return holdsIntegers(declared) ? time.getTime() : time.toISOString()
}

/** Values no column was planned for: what the application added to the tables. */
function otherToColumn(value: unknown, declared: DeclaredType): unknown {
  if (value instanceof Date) return timeToColumn(value, declared)
  if (typeof value === "boolean") return value ? 1 : 0
  if (typeof value === "bigint") return value
  if (typeof value === "number") return asNumber(value)
  return storableText(typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
}

function toColumn(value: unknown, kind: ColumnKind | "other", declared: DeclaredType): unknown {
  if (value === null || value === undefined) return null
  switch (kind) {
    case "id":
      return idToColumn(value, declared)
    case "text":
      return storableText(typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
    case "time":
      return timeToColumn(value, declared)
    case "integer":
      return asNumber(value)
    case "boolean":
      return value ? 1 : 0
    case "other":
      return otherToColumn(value, declared)
  }
}

function fromColumn(value: unknown, kind: ColumnKind | "other"): unknown {
  if (value === null || value === undefined) return null
  if (kind === "time") return asTime(value)
  if (kind === "integer") return asNumber(value)
  return kind === "boolean" ? asBoolean(value) : value
}

/** True for errors that mean: somebody else is writing. Drivers agree on the code, and failing that on the words. */
function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = "code" in error ? String(error.code) : ""
  return /^SQLITE_(BUSY|LOCKED)/.test(code) || /database( table)? is locked/.test(error.message)
}

/** SQLite. */
export const sqlite: SqlDialect = {
  name: "sqlite",
  schemes: ["file", "sqlite"],
  recognises: (adapter) => adapter instanceof SqliteAdapter || adapter.constructor.name === "SqliteAdapter",
  builder,
  types: { id: "text", text: "text", time: "text", integer: "integer", boolean: "integer" },
  // A deferred transaction that reads first cannot always be upgraded to write.
  begin: "begin immediate",
  columnsOf: (table) => sql`select name, lower(type) as type from pragma_table_info(${table})`.compile(builder),
  toColumn,
  fromColumn,
  isBefore(column, time) {
    const ref = sql.ref(column)
    // Rows of other libraries may hold integers or another notation: integers compare as such, what is not ISO is left alone.
    return sql`((typeof(${ref}) = 'text' and ${ref} < ${time.toISOString()} and ${ref} glob '????-??-??T*Z')
      or (typeof(${ref}) = 'integer' and ${ref} > 100000000000 and ${ref} < ${time.getTime()}))`
  },
  isAddress(column, address) {
    const ref = sql.ref(column)
    return sql`(lower(${ref}) = lower(${address}) and ${ref} <> '' and ${ref} = ${address})`
  },
  uniqueAddress: (name, table, column) =>
    sql`create unique index if not exists ${sql.id(name)} on ${sql.table(table)} (lower(${sql.id(column)})) where ${sql.id(column)} <> ''`.compile(
      builder,
    ),
  isBusy,
}
