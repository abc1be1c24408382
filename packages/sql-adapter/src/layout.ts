/** What the tables in the database look like: which columns there are, and of which types. */
import type { Column, Row, SqlDialect } from "./dialects/dialect.js"
import { addressKey } from "./dialects/mysql-definitions.js"
import { isPlainName, members, type ResolvedNames, type TableKey } from "./names.js"
import type { Runner } from "./runner.js"
import { type ColumnPlan, schema } from "./schema.js"

/** One table as it is. Columns by the member they hold; columns of the application under their own names. */
export interface TableLayout {
  readonly table: string
  readonly columns: ReadonlyMap<string, Column>
  /** There is a computed column behind the unique key on addresses. */
  readonly hasAddressKey: boolean
}

/** The tables are not what the adapter needs. */
export class SchemaError extends Error {
  override name = "SchemaError"
}

/** The tables. Asking for one that is missing or lacks a column throws an error that names it. */
export type Layout = (key: TableKey) => TableLayout

/** Members that rows can do without: tables without a surrogate key are fine. */
const dispensable: ReadonlySet<string> = new Set(["accounts.id", "sessions.id"])

function describe(key: TableKey, names: ResolvedNames, found: readonly Row[]): TableLayout | SchemaError {
  const table = names.table(key)
  const declared = new Map(found.map(({ name, type }) => [String(name), String(type ?? "").toLowerCase()]))
  const filled = new Set(found.filter(({ fills }) => fills === true || Number(fills) === 1).map(({ name }) => name))
  const hasAddressKey = declared.delete(addressKey)
  if (declared.size === 0) return new SchemaError(`There is no table "${table}". Run the migrations.`)
  const plans: Readonly<Record<string, ColumnPlan>> = schema[key]
  const columns = new Map<string, Column>()
  for (const member of members[key]) {
    const name = names.column(key, member)
    const type = declared.get(name)
    if (type !== undefined) {
      columns.set(member, { name, kind: plans[member]?.kind ?? "text", declared: type, fills: filled.has(name) })
    } else if (!dispensable.has(`${key}.${member}`)) {
      return new SchemaError(`The table "${table}" has no column "${name}". Add it, or map the name it has.`)
    }
  }
  const planned = new Set([...columns.values()].map(({ name }) => name))
  for (const [name, type] of declared) {
    if (!planned.has(name) && !columns.has(name) && isPlainName(name)) {
      columns.set(name, { name, kind: "other", declared: type, fills: filled.has(name) })
    }
  }
  return { table, columns, hasAddressKey }
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
