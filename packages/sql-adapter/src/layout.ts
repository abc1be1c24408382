/** What the tables in the database look like: which columns there are, and of which types. */
import type { Column, Row, SqlDialect } from "./dialects/dialect.js"
import { addressKey } from "./dialects/mysql-definitions.js"
import { isPlainName, members, type ResolvedNames, type TableKey } from "./names.js"
import type { Runner } from "./runner.js"
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

/** The tables are not what the adapter needs. */
export class SchemaError extends Error {
  override name = "SchemaError"
}

/** The tables. Asking for one that is missing or lacks a column throws an error that names it. */
export type Layout = (key: TableKey) => TableLayout

/** Members that rows can do without: tables without a surrogate key are fine. */
const dispensable: ReadonlySet<string> = new Set(["accounts.id", "sessions.id"])

/** Nobody hands these values over: every new row would be refused. */
function demanding(table: string, names: readonly string[]): string {
  const list = names.map((name) => `"${name}"`).join(", ")
  return `The table "${table}" demands a value for ${list} in each row, and nothing fills it. Give it a default, or allow null.`
}

const isSo = (value: unknown): boolean => value === true || Number(value) === 1

type Found = Omit<Column, "kind">

/** What the database says of each column, by name. */
function columnsFound(rows: readonly Row[]): Map<string, Found> {
  const entries = rows.map((row) => [
    String(row.name),
    {
      name: String(row.name),
      declared: String(row.type ?? "").toLowerCase(),
      fills: isSo(row.fills),
      required: isSo(row.required),
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
      columns.set(member, { ...found, kind: plans[member]?.kind ?? "text" })
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

/** Looks at all five tables. */
export async function readLayout(runner: Runner, dialect: SqlDialect, names: ResolvedNames): Promise<Layout> {
  const tables = new Map<TableKey, TableLayout | SchemaError>()
  for (const key of Object.keys(members) as TableKey[]) {
    tables.set(key, describe(key, names, await runner.read(dialect.columnsOf(names.table(key)))))
  }
  return (key) => {
    const found = tables.get(key)
    if (found && !(found instanceof SchemaError)) return found
    throw found ?? new SchemaError(`There is no table for ${key}.`)
  }
}
