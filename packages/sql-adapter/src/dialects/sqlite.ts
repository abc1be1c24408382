/** SQLite, whichever driver runs it. */
import { type Expression, type SqlBool, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely"
import { codeOf } from "../duplicates.js"
import type { ColumnKind } from "../schema.js"
import { asNumber, asTime } from "../values.js"
import {
  fromColumn,
  holdsIntegers,
  idFromText,
  idToDriver,
  integerKey,
  textOf,
  timeText,
  toColumnBy,
} from "./columns.js"
import type { Builder, Column, DeclaredType, Faults, Numbers, SqlDialect } from "./dialect.js"
import { builderOf, descendsFrom } from "./kysely-builder.js"

const builder: Builder = builderOf({
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})

const types: Readonly<Record<ColumnKind, string>> = {
  id: "text",
  text: "text",
  time: "text",
  integer: "integer",
  boolean: "integer",
}

/** Does the column keep texts as they are (https://www.sqlite.org/datatype3.html, 3.1)? Others make numbers of some. */
const keepsTexts = (declared: DeclaredType): boolean =>
  !declared.includes("int") && (declared === "" || /char|clob|text|blob/.test(declared))

const isReal = (declared: DeclaredType): boolean => /real|float|double/.test(declared)

const numeric = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

/** A text. One that the column makes a number of must be written as the column writes it: another notation would name the same row. */
function textToColumn(value: unknown, declared: DeclaredType): string {
  const text = textOf(value)
  if (keepsTexts(declared) || !numeric.test(text)) return text
  const number = integerKey(text, "bigint")
  if (!isReal(declared) || Number.isSafeInteger(Number(number))) return text
  throw new TypeError("This number is too large for the column.")
}

function idToColumn(value: unknown, declared: DeclaredType): unknown {
  if (!holdsIntegers(declared)) return textToColumn(String(value), declared)
  // Integers of SQLite have 64 bits, whatever they are called.
  return idToDriver(integerKey(value, "bigint"))
}

/** A key of numbers, which have 64 bits here. */
const isWide = ({ kind, declared }: Column): boolean => kind === "id" && holdsIntegers(declared)

/** An id that a driver would round is read as text. A column without a type, or with one of numbers, may hold such ids. */
function selectedId(ref: Expression<unknown>, declared: DeclaredType): Expression<unknown> {
  if (keepsTexts(declared) && /char|clob|text/.test(declared)) return ref
  return sql`case when typeof(${ref}) = 'integer' and ${ref} not between -9007199254740991 and 9007199254740991
      then cast(${ref} as text) else ${ref} end`
}

/** A string that the database may have stored as a whole number. */
const isNumber = ({ kind, declared }: Column): boolean => kind === "text" && !keepsTexts(declared) && !isReal(declared)

const exactText = (value: Expression<unknown>): Expression<unknown> => sql`cast(${value} as text) collate binary`

/** A comparison that is loose finds by the index, and a second one looks exactly. */
function isSame(name: string, value: unknown, column: Column): Expression<SqlBool> {
  const ref = sql.ref(name)
  const same = Array.isArray(value) ? sql`in (${sql.join(value)})` : sql`= ${value}`
  return column.isLoose && !isWide(column) ? sql`(${ref} ${same} and ${exactText(ref)} ${same})` : sql`${ref} ${same}`
}

/** UTC text with milliseconds; a column that was made for integers gets milliseconds since 1970. */
function timeToColumn(value: unknown, declared: DeclaredType): unknown {
  const time = asTime(value)
  return holdsIntegers(declared) ? time.getTime() : timeText(time, declared)
}

/** Values no column was planned for: what the application added to the tables. */
function otherToColumn(value: unknown, declared: DeclaredType): unknown {
  if (value instanceof Date) return timeToColumn(value, declared)
  if (typeof value === "boolean") return value ? 1 : 0
  if (typeof value === "bigint") return value
  return typeof value === "number" ? asNumber(value) : textOf(value)
}

const keyToColumn = toColumnBy({
  id: idToColumn,
  text: textToColumn,
  time: timeToColumn,
  integer: asNumber,
  boolean: (value) => (value ? 1 : 0),
  other: otherToColumn,
})

/** What no row is found by may become a number, as it does in every statement of the application: a name such as `007`. */
const toColumn: typeof keyToColumn = (value, column) =>
  column.kind === "text" && !column.isKey && typeof value === "string" ? textOf(value) : keyToColumn(value, column)

const faults: Faults = {
  // Drivers agree on the code, and failing that on the words.
  isBusy: (error) =>
    error instanceof Error &&
    (/^SQLITE_(BUSY|LOCKED)/.test(codeOf(error)) || /database( table)? is locked/.test(error.message)),
  isConflict: () => false,
  isDuplicate: (error) =>
    /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)/.test(codeOf(error)) ||
    (error instanceof Error && error.message.includes("UNIQUE constraint failed")),
  isLost: () => false,
  endsTransaction: false,
  canCommitAgain: true,
}

/** Notations of other tools in texts: with an offset of zero, or milliseconds since 1970. No index helps with them. */
const isForeignBefore = (ref: Expression<unknown>, time: Date): Expression<SqlBool> =>
  sql`(typeof(${ref}) = 'text' and ${ref} glob '????-??-??[ T]??:??:??.???*+00:00'
        and replace(substr(${ref}, 1, 23), ' ', 'T') < ${time.toISOString().slice(0, 23)})
      or (typeof(${ref}) = 'text' and length(${ref}) between 12 and 15 and ${ref} not glob '*[^0-9]*'
        and cast(${ref} as integer) < ${time.getTime()})`

function isBefore(name: string, time: Date, { declared, holdsMilliseconds }: Column): Expression<SqlBool> {
  const ref = sql.ref(name)
  if (holdsMilliseconds) return sql`${ref} < ${time.getTime()}`
  const others = declared === "text" || holdsIntegers(declared) ? sql`` : sql` or ${isForeignBefore(ref, time)}`
  // Rows of other libraries may hold integers or another notation: integers compare as such, what is not ISO is left alone.
  return sql`((typeof(${ref}) = 'text' and ${ref} < ${time.toISOString()} and ${ref} glob '????-??-??T*Z')
      or (typeof(${ref}) = 'integer' and ${ref} > 100000000000 and ${ref} < ${time.getTime()})${others})`
}

/** Comments, texts and quoted names of a statement. */
const asides = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'[^']*'|"[^"]*"|\x60[^\x60]*\x60|\[[^\]]*\]/g

/** Without "autoincrement" the next number is one more than the highest that is there (https://www.sqlite.org/autoinc.html). */
const numbers: Numbers = {
  definitionOf: ({ table, column }) =>
    sql`select made.sql as definition from sqlite_master as made, pragma_table_info(${table}) as info
      where made.type = 'table' and lower(made.name) = lower(${table})
      and info.name = ${column} and lower(info.type) = 'integer' and info.pk = 1`.compile(builder),
  areGivenAgain: (definition) => !/\bautoincrement\b/i.test(definition.replace(asides, " ")),
  // Higher than all that are there, and than those of the seconds before; by how much is random, for clocks that are put back.
  unused: ({ table, column }) =>
    sql`(select case when highest < 9223372036853000000
        then max(highest, cast(strftime('%s', 'now') as integer) * 1000000) + 1 + abs(random() % 1000000) end
      from (select coalesce(max(${sql.ref(column)}), 0) as highest from ${sql.table(table)}))`,
}

/** SQLite. */
export const sqlite: SqlDialect = {
  name: "sqlite",
  hasSchemas: false,
  aliases: [],
  schemes: ["file", "sqlite", "libsql"],
  recognises: (adapter) => adapter instanceof SqliteAdapter || descendsFrom(adapter, "SqliteAdapter"),
  builder,
  // A deferred transaction that reads first cannot always be upgraded to write.
  begin: ["begin immediate"],
  definesWriting: true,
  returning: true,
  passesOver: false,
  faults,
  definitions: {
    typeOf: ({ kind }) => types[kind],
    skipsExisting: true,
    uniqueAddress: ({ name, table, column }) => [
      sql`create unique index if not exists ${sql.id(name)} on ${sql.table(table)} (lower(${sql.id(column)})) where ${sql.id(column)} <> ''`.compile(
        builder,
      ),
    ],
    addressPart: (column) => `lower(${column})`,
    // An index that a constraint made has columns and no definition.
    indicesOf: (table) =>
      sql`select list.name, list."unique" as is_unique, 1 as is_valid, made.sql as definition,
          (select group_concat(name) from (select name from pragma_index_info(list.name) order by seqno)) as parts
        from pragma_index_list(${table}) as list
        left join sqlite_master as made on made.type = 'index' and made.name = list.name`.compile(builder),
    namesBeside: () => sql`select name from sqlite_master`.compile(builder),
    numbers,
  },
  // An integer that is the whole primary key is the number of the row. Which column has a collation, no pragma says.
  columnsOf: (table) =>
    sql`select name, lower(type) as type, "notnull" as required,
        (dflt_value is not null or (pk = 1 and lower(type) = 'integer')) as fills,
        not exists (select 1 from sqlite_master as made where made.type = 'table' and lower(made.name) = lower(${table})
          and instr(lower(made.sql), 'collate') = 0) as loose,
        exists (select 1 from sqlite_master as made where made.type = 'table' and lower(made.name) = lower(${table})
          and made.sql like '%without%rowid%') as unnumbered
      from pragma_table_info(${table})`.compile(builder),
  toColumn,
  fromColumn: (value, column) => (isWide(column) && value !== null ? idFromText(value) : fromColumn(value, column)),
  // A driver may read an integer as a number that is rounded.
  selected(name, column) {
    const ref = sql.ref(name)
    if (column.kind === "id") return selectedId(ref, column.declared)
    return isNumber(column) ? sql`cast(${ref} as text)` : ref
  },
  exactText,
  isSame,
  isBefore,
  deleteSome(table, { time, column, most }) {
    const isExpired = isBefore(column.name, time, column)
    // Rows without a number are named by their time: those that share one go together.
    const by = column.isUnnumbered ? sql.ref(column.name) : sql`rowid`
    const some = sql`select ${by} from ${sql.table(table)} where ${isExpired} limit ${sql.lit(most)}`
    return sql`delete from ${sql.table(table)} where ${by} in (${some}) and ${isExpired}`.compile(builder)
  },
  isAddress(address, column) {
    const ref = sql.ref(column.name)
    return sql`(lower(${ref}) = lower(${address}) and ${ref} <> '' and ${isSame(column.name, address, column)})`
  },
}
