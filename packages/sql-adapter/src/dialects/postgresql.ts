/** PostgreSQL, whichever driver runs it. */
import { createHash } from "node:crypto"
import {
  type Expression,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SqlBool,
  sql,
} from "kysely"
import { codeOf } from "../duplicates.js"
import type { ColumnKind } from "../schema.js"
import { asNumber, asTime, storableText } from "../values.js"
import {
  digitsOf,
  fromColumn,
  holdsIntegers,
  integerKey,
  isoOf,
  textOf,
  timeText,
  toColumnBy,
  uuidOf,
} from "./columns.js"
import type { Builder, Column, DeclaredType, Definitions, Faults, Lock, OwnerKey, SqlDialect } from "./dialect.js"
import { builderOf, descendsFrom } from "./kysely-builder.js"

const builder: Builder = builderOf({
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

const types: Readonly<Record<ColumnKind, string>> = {
  id: "text",
  text: "text",
  time: "timestamptz(3)",
  integer: "bigint",
  boolean: "boolean",
}

const isInteger = (declared: DeclaredType): boolean => /^(bigint|integer|smallint)$/.test(declared)

/** A key of numbers with 64 bits or more: the application may have set the driver to read numbers, which are rounded. */
const isWide = ({ kind, declared }: Column): boolean =>
  (kind === "id" || kind === "text") && /^(bigint|numeric)/.test(declared)

/** Types whose values compare as their texts do, once {@link toColumn} has taken them. */
const exactTypes = /^(text|character varying|character\(|bpchar|uuid|bigint|integer|smallint|numeric)/

const exactText = (value: Expression<unknown>): Expression<unknown> => sql`cast(${value} as text) collate "C"`

/** A comparison that is loose finds by the index, and a second one looks exactly. */
function isSame(name: string, value: unknown, { declared, isLoose }: Column): Expression<SqlBool> {
  const ref = sql.ref(name)
  const same = Array.isArray(value) ? sql`in (${sql.join(value)})` : sql`= ${value}`
  if (exactTypes.test(declared) && !isLoose) return sql`${ref} ${same}`
  return sql`(${ref} ${same} and ${exactText(ref)} ${same})`
}

function idToColumn(value: unknown, declared: DeclaredType): unknown {
  if (holdsIntegers(declared)) return String(integerKey(value, declared))
  return textToColumn(String(value), declared)
}

function textToColumn(value: unknown, declared: DeclaredType): string {
  const text = textOf(value)
  if (isInteger(declared)) return String(integerKey(text, declared))
  if (/^(numeric|real|double)/.test(declared)) return digitsOf(text)
  if (declared === "uuid") return uuidOf(text)
  // The type pads with spaces, and loses trailing spaces of a value.
  if (/^(character\(|bpchar)/.test(declared) && text.endsWith(" ")) throw new TypeError("The column loses spaces.")
  return text
}

function otherToColumn(value: unknown, declared: DeclaredType): unknown {
  if (value instanceof Date) return holdsIntegers(declared) ? value.getTime() : isoOf(value)
  if (declared.startsWith("json")) return JSON.stringify(value)
  if (typeof value === "number") return asNumber(value)
  if (typeof value === "string") return storableText(value)
  if (typeof value !== "object" || Array.isArray(value) || value instanceof Uint8Array) return value
  return textOf(value)
}

const toColumn = toColumnBy({
  id: idToColumn,
  text: textToColumn,
  time: (value, declared) => (holdsIntegers(declared) ? asTime(value).getTime() : timeText(value, declared)),
  integer: (value) => String(asNumber(value)),
  boolean: (value, declared) => (holdsIntegers(declared) ? Number(Boolean(value)) : Boolean(value)),
  other: otherToColumn,
})

const isTimestamp = (declared: DeclaredType): boolean => /^(timestamp|date)/.test(declared)

const faults: Faults = {
  isBusy: (error) => ["40001", "40P01", "55P03"].includes(codeOf(error)),
  // The last two: the connection behind a proxy has changed, and what was prepared is not there.
  isConflict: (error) => ["40001", "40P01", "26000", "42P05"].includes(codeOf(error)),
  isDuplicate: (error) => codeOf(error) === "23505",
  isLost: (error) =>
    /^(08...|57P0[12]|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
    // A plan that was prepared before the table was changed.
    (codeOf(error) === "0A000" && error instanceof Error && error.message.startsWith("cached plan")) ||
    (error instanceof Error && /Connection terminated|connection error and is not queryable/.test(error.message)),
  endsTransaction: true,
  canCommitAgain: false,
}

/** The lock of this name: 64 bits, and the transaction gives it back. */
const lock: Lock = {
  take(name) {
    const key = createHash("sha256").update(name).digest().readBigInt64BE(0)
    return sql`select 1 as taken from (select pg_advisory_xact_lock(${sql.lit(String(key))}::bigint)) as it`.compile(
      builder,
    )
  },
}

/** A table, with its schema where it has one. Names hold no dots of their own. */
const regclass = (table: string): string =>
  table
    .split(".")
    .map((name) => `"${name}"`)
    .join(".")

/** The number of foreign keys on the column, as a condition. */
const ownerExists = ({ table, column }: OwnerKey): ReturnType<typeof sql> =>
  sql`select 1 as one from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
    where c.contype = 'f' and c.conrelid = to_regclass(${sql.lit(regclass(table))}) and a.attname = ${sql.lit(column)}`

const definitions: Definitions = {
  // An index may take as long as it takes; a table that others use is not waited for long.
  settings: ["set local statement_timeout = 0", "set local lock_timeout = '2s'"],
  // Rows that other programs write may leave the key out.
  typeOf: ({ kind, ownedByUser, required }) =>
    kind === "id" && required && !ownedByUser ? "text default (gen_random_uuid())::text" : types[kind],
  byCode: ' collate "C"',
  skipsExisting: true,
  uniqueAddress: ({ name, table, column }) => [
    sql`create unique index if not exists ${sql.id(name)} on ${sql.table(table)} (lower(${sql.id(column)})) where ${sql.id(column)} <> ''`.compile(
      builder,
    ),
  ],
  addressPart: (column) => `lower(${column})`,
  indicesOf: (table) =>
    sql`select c.relname::text as name, i.indisunique as is_unique, i.indisvalid as is_valid,
        (select string_agg(pg_get_indexdef(i.indexrelid, part, true), ',' order by part)
          from generate_series(1, i.indnkeyatts) as part) as parts,
        pg_get_expr(i.indpred, i.indrelid, true) as only_where
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = to_regclass(${regclass(table)}::text)`.compile(builder),
  namesBeside: (table) =>
    sql`select relname::text as name from pg_class
      where relnamespace = (select relnamespace from pg_class where oid = to_regclass(${regclass(table)}::text))`.compile(
      builder,
    ),
  ownersOf: (key) => ownerExists(key).compile(builder),
  addOwner: ({ table, column, users, id }) =>
    sql`alter table ${sql.table(table)} add foreign key (${sql.id(column)}) references ${sql.table(users)} (${sql.id(id)}) on delete cascade`.compile(
      builder,
    ),
}

function isBefore(name: string, time: Date, { declared, holdsMilliseconds }: Column): Expression<SqlBool> {
  const ref = sql.ref(name)
  if (holdsMilliseconds) return sql`${ref} < ${time.getTime()}`
  if (isTimestamp(declared)) return sql`${ref} < ${time.toISOString()}`
  if (holdsIntegers(declared)) return sql`(${ref} > 100000000000 and ${ref} < ${time.getTime()})`
  // What is no number must not reach the conversion, and only a case promises that.
  return sql`case when ${ref} ~ '^[0-9]{12,15}$' then ${ref}::bigint < ${time.getTime()}
      else ${ref} < ${time.toISOString()} and ${ref} like '____-__-__T%Z' end`
}

/** PostgreSQL. */
export const postgresql: SqlDialect = {
  name: "postgresql",
  hasSchemas: true,
  aliases: ["postgres", "pg"],
  schemes: ["postgres", "postgresql"],
  recognises: (adapter) => adapter instanceof PostgresAdapter || descendsFrom(adapter, "PostgresAdapter"),
  builder,
  // Whatever the server's default is: whoever waited for a lock has to see what was written meanwhile.
  begin: ["begin isolation level read committed"],
  definesWriting: false,
  returning: true,
  passesOver: true,
  lock,
  faults,
  definitions,
  columnsOf: (table) =>
    sql`select attname::text as name, atthasdef or attidentity <> '' as fills, attnotnull as required,
        (with recursive behind (type, modifier) as (
          select atttypid, atttypmod
          union all select d.typbasetype, d.typtypmod from behind join pg_type d on d.oid = behind.type and d.typtype = 'd'
        ) select format_type(behind.type, modifier) from behind join pg_type b on b.oid = behind.type
          where b.typtype <> 'd') as type,
        exists (select 1 from pg_collation c
          where c.oid = attcollation and to_jsonb(c) ->> 'collisdeterministic' = 'false') as loose
      from pg_attribute where attrelid = to_regclass(${regclass(table)}::text) and attnum > 0 and not attisdropped
      order by attnum`.compile(builder),
  toColumn,
  fromColumn,
  selected(name, column) {
    const ref = sql.ref(name)
    if (isWide(column)) return sql`${ref}::text`
    return column.kind === "time" && isTimestamp(column.declared) ? sql`round(extract(epoch from ${ref}) * 1000)` : ref
  },
  exactText,
  isSame,
  isBefore,
  deleteSome(table, { time, column, most }) {
    const isExpired = isBefore(column.name, time, column)
    // Read from end to end, the table would show every step again what the steps before it removed.
    const some = sql`select ctid from ${sql.table(table)} where ${isExpired} order by ${sql.ref(column.name)} limit ${sql.lit(most)}`
    // Partitions number their rows alike, and a row may have been extended meanwhile: each one is asked again.
    return sql`delete from ${sql.table(table)} where ctid = any(array(${some})) and ${isExpired}`.compile(builder)
  },
  isAddress(address, column) {
    const ref = sql.ref(column.name)
    return sql`(lower(${ref}) = lower(${address}) and ${ref} <> '' and ${isSame(column.name, address, column)})`
  },
}
