/** MySQL and MariaDB, whichever driver runs them. */
import { type Expression, MysqlAdapter, type SqlBool, sql } from "kysely"
import { codeOf } from "../duplicates.js"
import { asNumber, asTime } from "../values.js"
import {
  digitsOf,
  fromColumn,
  holdsIntegers,
  idFromText,
  idToDriver,
  integerKey,
  textOf,
  timeText,
  toColumnBy,
  uuidOf,
} from "./columns.js"
import type { Column, DeclaredType, Faults, Lock, SqlDialect } from "./dialect.js"
import { descendsFrom } from "./kysely-builder.js"
import { addressKey, builder, columnsOf, definitions } from "./mysql-definitions.js"
import { instant, writesExactly } from "./mysql-instants.js"
import { fittingDatetime, fittingDigits, fittingNumber, fittingSeconds, secondsOf } from "./mysql-numbers.js"
import { session } from "./mysql-session.js"
import { fittingText, isExact } from "./mysql-texts.js"

/** A text; for a column of another type only as the column writes it, as another notation would name the same row. */
function textToColumn(value: unknown, declared: DeclaredType): unknown {
  const text = fittingText(textOf(value), declared)
  if (holdsIntegers(declared)) return idToDriver(integerKey(text, declared))
  if (/^(decimal|float|double)/.test(declared)) return digitsOf(text)
  return declared === "uuid" ? uuidOf(text) : text
}

/** A key of numbers with 64 bits or more: a driver may read it as a number that is rounded. */
const isWide = ({ kind, declared }: Column): boolean =>
  (kind === "id" || kind === "text") && /^(bigint|decimal)/.test(declared)

const isBigint = (column: Column): boolean => isWide(column) && column.declared.startsWith("bigint")

/** Compared with a string, the database would round both. */
const asInteger = (value: unknown, declared: DeclaredType): Expression<unknown> =>
  declared.includes("unsigned") ? sql`cast(${value} as unsigned)` : sql`cast(${value} as signed)`

/** As the type of the column wants it: UTC without a zone, an instant, or milliseconds. */
function timeToColumn(value: unknown, declared: DeclaredType): unknown {
  const time = asTime(value)
  if (holdsIntegers(declared)) return fittingNumber(time.getTime(), declared)
  if (declared.startsWith("timestamp")) return instant(fittingSeconds(time, declared))
  return /^(datetime|date)/.test(declared) ? fittingDatetime(time, declared) : timeText(time, declared)
}

function otherToColumn(value: unknown, declared: DeclaredType): unknown {
  if (value instanceof Date) return timeToColumn(value, declared)
  if (declared.startsWith("json")) return JSON.stringify(value)
  if (typeof value === "boolean") return value ? 1 : 0
  if (typeof value === "number") return fittingNumber(asNumber(value), declared)
  if (typeof value === "bigint" || (typeof value === "string" && holdsIntegers(declared))) {
    return holdsIntegers(declared) ? fittingDigits(value, declared) : String(value)
  }
  return value instanceof Uint8Array ? value : fittingText(textOf(value), declared)
}

const toColumn = toColumnBy({
  id: (value, declared) => textToColumn(String(value), declared),
  text: textToColumn,
  time: timeToColumn,
  integer: (value, declared) => fittingNumber(asNumber(value), declared),
  boolean: (value) => (value ? 1 : 0),
  other: otherToColumn,
})

const faults: Faults = {
  isBusy: (error) => ["ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT"].includes(codeOf(error)),
  isConflict: (error) => codeOf(error) === "ER_LOCK_DEADLOCK",
  isDuplicate: (error) => codeOf(error) === "ER_DUP_ENTRY",
  isLost: (error) =>
    /^(PROTOCOL_CONNECTION_LOST|ER_SERVER_SHUTDOWN|ER_CONNECTION_KILLED|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
    (error instanceof Error && /connection (is )?in closed state|server has gone away/i.test(error.message)),
  endsTransaction: false,
  canCommitAgain: false,
}

/** Names of locks count for the whole server, and have at most 64 characters. */
const lockName = (name: string): Expression<string> =>
  sql`left(concat(coalesce(database(), ''), ':', ${sql.lit(name)}), 64)`

const lock: Lock = {
  take: (name, seconds) => sql`select get_lock(${lockName(name)}, ${sql.lit(seconds)}) as taken`.compile(builder),
  release: (name) => sql`select release_lock(${lockName(name)})`.compile(builder),
}

const any = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const exactText = (value: Expression<unknown>): Expression<unknown> =>
  sql`cast(convert(${value} using utf8mb4) as binary)`

/** Types without a collation whose values compare as their texts do. A decimal is compared with a text as a rounded number. */
const isExactType = (declared: DeclaredType): boolean =>
  holdsIntegers(declared) || /^(uuid$|(var)?binary|\w*blob|.* collate |$)/.test(declared)

/** Other notations than our own are compared by the index first, and then by their bytes. */
function isSame(name: string, value: unknown, column: Column): Expression<SqlBool> {
  const ref = sql.ref(name)
  const { declared } = column
  if (isBigint(column)) return sql`${ref} in (${sql.join(any(value).map((one) => asInteger(one, declared)))})`
  const same = Array.isArray(value) ? sql<SqlBool>`${ref} in (${sql.join(value)})` : sql<SqlBool>`${ref} = ${value}`
  if (isExact(declared) && isExactType(declared)) return same
  const bytes = sql.join(any(value).map((one) => sql`cast(${one} as binary)`))
  return sql`(${same} and ${exactText(ref)} in (${bytes}))`
}

function isBefore(name: string, time: Date, column: Column): Expression<SqlBool> {
  const ref = sql.ref(name)
  if (column.holdsMilliseconds) return sql`${ref} < ${time.getTime()}`
  if (column.declared.startsWith("timestamp")) {
    // By the clock of the session, which the index is for, and by the instant: an hour may come twice.
    const seconds = secondsOf(time)
    return sql`(${ref} < ${instant(seconds)} and unix_timestamp(${ref}) < cast(${seconds} as decimal(20, 3)))`
  }
  if (/^(datetime|date)/.test(column.declared)) return sql`${ref} < ${fittingDatetime(time, column.declared)}`
  if (holdsIntegers(column.declared)) return sql`(${ref} > 100000000000 and ${ref} < ${time.getTime()})`
  return sql`if(${ref} regexp '^[0-9]{12,15}$', cast(${ref} as signed) < ${time.getTime()},
      ${ref} < ${time.toISOString()} and ${ref} like '____-__-__T%Z')`
}

/** MySQL and MariaDB. */
export const mysql: SqlDialect = {
  name: "mysql",
  hasSchemas: true,
  aliases: ["mariadb"],
  schemes: ["mysql", "mariadb"],
  recognises: (adapter) => adapter instanceof MysqlAdapter || descendsFrom(adapter, "MysqlAdapter"),
  builder,
  // As on PostgreSQL: a read sees what others have committed, not what there was when the transaction began.
  // The word "begin" alone begins a block of code in the mode of another database.
  begin: ["set transaction isolation level read committed", "start transaction"],
  definesWriting: false,
  returning: false,
  passesOver: false,
  lock,
  faults,
  definitions,
  session,
  exactly: writesExactly,
  columnsOf,
  toColumn,
  fromColumn: (value, column) => (isBigint(column) && value !== null ? idFromText(value) : fromColumn(value, column)),
  selected(name, column) {
    const ref = sql.ref(name)
    const { kind, declared } = column
    if (isWide(column)) return sql`cast(${ref} as char)`
    if (kind !== "time") return ref
    if (declared.startsWith("timestamp")) return sql`cast(unix_timestamp(${ref}) * 1000 as signed)`
    return /^(datetime|date)/.test(declared) ? sql`date_format(${ref}, '%Y-%m-%dT%H:%i:%s.%fZ')` : ref
  },
  exactText,
  isSame,
  isBefore,
  deleteSome(table, { time, column, most }) {
    const isExpired = isBefore(column.name, time, column)
    // The order makes the index the shortest way, also when nearly every row has expired.
    return sql`delete from ${sql.table(table)} where ${isExpired} order by ${sql.ref(column.name)} limit ${sql.lit(most)}`.compile(
      builder,
    )
  },
  isAddress(address, column, hasKey) {
    const exactly = isSame(column.name, address, column)
    const byKey = hasKey ? sql`${sql.ref(addressKey)} = lower(${address}) and ` : sql``
    return sql`(${byKey}${sql.ref(column.name)} <> '' and ${exactly})`
  },
}
