/** The tables in the database: their columns and types. */
import type { Column, Row } from "./dialects/dialect.js"
import { addressKey } from "./dialects/mysql-definitions.js"
import { isPlainName, members, type ResolvedNames, type TableKey } from "./names.js"
import { type ColumnPlan, schema } from "./schema.js"
import { demandsOf, openTables, type Supply } from "./supplies.js"

/** One table as it is. Columns by the member they hold; columns of the application under their own names. */
export interface TableLayout {
  readonly table: string
  readonly columns: ReadonlyMap<string, Column>
  /** There is a computed column behind the unique key on addresses. */
  readonly hasAddressKey: boolean
  /** Columns of others that demand a value with each new row, and get one from us. */
  readonly supplies: readonly Supply[]
}

/** The tables, or the settings of the connection, are not what the adapter needs. */
export class SchemaError extends Error {
  override name = "SchemaError"
}

/** The tables. Asking for one that is missing or lacks a column throws an error that names it. */
export type Layout = (key: TableKey) => TableLayout

/** Members that rows can do without: tables without a surrogate key are fine. */
const dispensable: ReadonlySet<string> = new Set(["accounts.id", "sessions.id"])

/** These values are never passed, so every new row would be refused. */
function demanding(table: string, names: readonly string[]): string {
  const list = names.map((name) => `"${name}"`).join(", ")
  return `The table "${table}" requires a value for ${list} in each row, but nothing provides one. Give it a default, or allow null.`
}

/** Hashes, addresses and names of passkeys go there: a column for UUIDs refuses even a look-up by them. */
const onlyUuids = (table: string, name: string): string =>
  `The column "${name}" of "${table}" can hold only UUIDs, but the adapter stores other strings there. Change its type to text.`

/** Types that take several notations of one value, and name the same row by each. */
const notations = /^(inet|cidr|macaddr|json|bytea)/

const manyNotations = (table: string, { name, declared }: Found): string =>
  `The column "${name}" of "${table}" (${declared}) takes different strings for the same value, so that one person could be found by the id of another. Change its type to text.`

const isSo = (value: unknown): boolean => value === true || Number(value) === 1

type Found = Omit<Column, "kind">

/** What the database says of each column, by name. */
export function columnsFound(rows: readonly Row[]): Map<string, Found> {
  const entries = rows.map((row) => [
    String(row.name),
    {
      name: String(row.name),
      declared: String(row.type ?? "").toLowerCase(),
      fills: isSo(row.fills),
      required: isSo(row.required),
      ...(isSo(row.loose) && { isLoose: true }),
      ...(isSo(row.unnumbered) && { isUnnumbered: true }),
      ...(row.attributes ? { attributes: String(row.attributes) } : {}),
    },
  ])
  return new Map(entries as [string, Found][])
}

function describe(key: TableKey, names: ResolvedNames, rows: readonly Row[]): TableLayout | SchemaError {
  const table = names.table(key)
  const declared = columnsFound(rows)
  const hasAddressKey = declared.delete(addressKey)
  if (declared.size === 0) return new SchemaError(`There is no table "${table}". Run the migrations.`)
  const plans: Readonly<Record<string, ColumnPlan>> = schema[key]
  const columns = new Map<string, Column>()
  for (const member of members[key]) {
    const name = names.column(key, member)
    const found = declared.get(name)
    if (found) {
      const { kind = "text", json = false, length } = plans[member] ?? {}
      if (kind === "text" && found.declared === "uuid" && !openTables.has(key)) {
        return new SchemaError(onlyUuids(table, name))
      }
      if (kind === "text" && length !== undefined && notations.test(found.declared)) {
        return new SchemaError(manyNotations(table, found))
      }
      columns.set(member, { ...found, kind, json, ...(length !== undefined && { isKey: true }) })
    } else if (!dispensable.has(`${key}.${member}`)) {
      return new SchemaError(`The table "${table}" has no column "${name}". Add it, or map the name it has.`)
    }
  }
  const planned = new Set([...columns.values()].map(({ name }) => name))
  for (const [name, found] of declared) {
    if (!planned.has(name) && !columns.has(name) && isPlainName(name)) columns.set(name, { ...found, kind: "other" })
  }
  const { supplies, unmet } = demandsOf(columns.values())
  if (unmet.length > 0 && !openTables.has(key)) return new SchemaError(demanding(table, unmet))
  return { table, columns, hasAddressKey, supplies }
}

/** What the columns of all five tables come to. */
export function layoutOf(names: ResolvedNames, rows: ReadonlyMap<TableKey, readonly Row[]>): Layout {
  const tables = new Map([...rows].map(([key, found]) => [key, describe(key, names, found)]))
  return (key) => {
    const found = tables.get(key)
    if (found && !(found instanceof SchemaError)) return found
    throw found ?? new SchemaError(`There is no table for ${key}.`)
  }
}

/** Engines of MySQL without transactions and foreign keys. */
const simpleEngines: ReadonlySet<string> = new Set(["myisam", "aria", "memory", "csv", "archive", "mrg_myisam"])

function engineMisfit(table: string, [row]: readonly Row[]): string[] {
  const engine = String(row?.engine ?? "")
  if (!simpleEngines.has(engine.toLowerCase())) return []
  return [
    `The table "${table}" uses the engine ${engine}, which has no transactions and no foreign keys. Convert it: alter table ${table} engine = InnoDB.`,
  ]
}

/** What is wrong with the tables that are there; those that are not can be made. */
export function misfitsOf(names: ResolvedNames, rows: ReadonlyMap<TableKey, readonly Row[]>): string[] {
  return [...rows].flatMap(([key, found]) => {
    const described = found.length > 0 && describe(key, names, found)
    const misfit = described instanceof SchemaError ? [described.message] : []
    return [...misfit, ...engineMisfit(names.table(key), found)]
  })
}
