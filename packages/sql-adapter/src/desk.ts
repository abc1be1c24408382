/** What operations work with: the tables, the runner, and the form of session tokens. */
import type { SqlDialect } from "./dialects/dialect.js"
import { type Layout, SchemaError } from "./layout.js"
import type { TableKey } from "./names.js"
import { createTable, type Table } from "./rows.js"
import type { TokenForms } from "./tokens.js"

/** Everything that stays the same for one open database. Statements are written once and kept. */
export interface Desk {
  readonly dialect: SqlDialect
  readonly tokens: TokenForms
  /** Throws where the table is missing or lacks a column. */
  table(key: TableKey): Table
  /** Is the table there? */
  has(key: TableKey): boolean
  /** The statement under this name, written at first use. */
  statement<T>(name: string, write: () => T): T
}

export function createDesk(layout: Layout, dialect: SqlDialect, tokens: TokenForms): Desk {
  const tables = new Map<TableKey, Table>()
  const statements = new Map<string, unknown>()
  return {
    dialect,
    tokens,
    table(key) {
      const table = tables.get(key) ?? createTable(layout(key), dialect)
      tables.set(key, table)
      return table
    },
    has(key) {
      try {
        return Boolean(layout(key))
      } catch (error) {
        if (error instanceof SchemaError) return false
        throw error
      }
    },
    statement<T>(name: string, write: () => T): T {
      if (!statements.has(name)) statements.set(name, write())
      return statements.get(name) as T
    },
  }
}
