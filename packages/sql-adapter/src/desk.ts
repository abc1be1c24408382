/** What operations work with: the tables, the runner, and the form of session tokens. */
import { sql } from "kysely"
import { unfindable } from "./codec.js"
import type { Row, SqlDialect } from "./dialects/dialect.js"
import { type Layout, SchemaError, type TableLayout } from "./layout.js"
import type { TableKey } from "./names.js"
import { createRecordTable, type RecordTable } from "./records/operations.js"
import { createTable } from "./rows.js"
import type { Runner } from "./runner.js"
import { uniqueKeys } from "./schema.js"
import { createSupplier } from "./supplies.js"
import type { Table, TableParts } from "./table.js"
import type { TokenForms } from "./tokens.js"

/** Everything that stays the same for one open database. Statements are written once and kept. */
export interface Desk {
  readonly dialect: SqlDialect
  readonly tokens: TokenForms
  /** Throws where the table is missing or lacks a column. */
  table(key: TableKey): Table
  /** Is the table there? */
  has(key: TableKey): boolean
  /** The table of records, or an error that says why there is none. */
  readonly records: RecordTable | SchemaError
  /** The statement under this name, written at first use. */
  statement<T>(name: string, write: () => T): T
}

/** What a desk is made of. */
export interface DeskParts {
  readonly layout: Layout
  readonly records: TableLayout | SchemaError
  readonly dialect: SqlDialect
  readonly tokens: TokenForms
  /** The unique keys are there: the database itself refuses a second row. */
  readonly hasKeys: boolean
  /** The time of day, for columns in which other tools note when a row was written. */
  readonly now: () => Date
}

/** The lock that stands in for keys that are missing. */
const guardLock = "latchkey_first_sign_in"

/** The members of the unique keys of a table. */
function keysOf(key: TableKey): readonly (readonly string[])[] {
  const keys = uniqueKeys.filter(({ table }) => table === key).map(({ members }) => members)
  return key === "users" ? [...keys, ["email"]] : keys
}

/** Asks what a unique key would have forbidden. Whoever asks holds the lock, until the row is there for all to see. */
function guardOf(key: TableKey, table: () => Table, { dialect }: DeskParts): NonNullable<TableParts["guard"]> {
  const isKeyTaken = async (runner: Runner, members: Row, names: readonly string[]): Promise<boolean> => {
    if (names.some((name) => [undefined, null, ""].includes(members[name] as null))) return false
    const { layout, key: keyOf, isSame } = table()
    const values = names.map((name) => [name, keyOf(name, members[name])] as const)
    if (values.some(([, value]) => value === unfindable)) return false
    const start = dialect.builder.selectFrom(layout.table).select(sql`1`.as("one")).limit(1)
    const query = values.reduce((q, [name, value]) => q.where(isSame(name, value)), start)
    // A transaction that has read before would not see what others wrote since then.
    return (await runner.read((dialect.returning ? query : query.forUpdate()).compile())).length > 0
  }
  return {
    lock: guardLock,
    async isTaken(runner, members) {
      for (const names of keysOf(key)) if (await isKeyTaken(runner, members, names)) return true
      return false
    },
  }
}

export function createDesk(parts: DeskParts): Desk {
  const { layout, dialect, tokens, hasKeys } = parts
  const tables = new Map<TableKey, Table>()
  const statements = new Map<string, unknown>()
  const open = (key: TableKey): Table => {
    const unique = keysOf(key).flat()
    const guard = hasKeys ? {} : { guard: guardOf(key, () => table(key), parts) }
    const described = layout(key)
    const supplier = createSupplier(described.supplies, dialect, parts.now)
    return createTable({ layout: described, dialect, unique, supplier, ...guard })
  }
  const table = (key: TableKey): Table => {
    const found = tables.get(key) ?? open(key)
    tables.set(key, found)
    return found
  }
  return {
    dialect,
    tokens,
    table,
    records: parts.records instanceof SchemaError ? parts.records : createRecordTable(parts.records, dialect),
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
