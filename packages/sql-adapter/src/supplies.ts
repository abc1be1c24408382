/** Values for columns that tables of other tools demand, that no default fills, and that the service knows nothing of. */
import { randomUUID } from "node:crypto"
import type { Expression } from "kysely"
import { holdsIntegers } from "./dialects/columns.js"
import type { Column, Row, SqlDialect } from "./dialects/dialect.js"
import type { TableKey } from "./names.js"

/** A column that the adapter fills by itself. */
export interface Supply {
  readonly column: Column
  /** An expression is for the database to compute. */
  readonly value: "now" | "id" | Expression<unknown>
  /** It is filled again with every change of the row. */
  readonly renewed: boolean
}

/** Columns that must be given with each new row. */
export interface Demands {
  readonly supplies: readonly Supply[]
  /** Columns that get no value. */
  readonly unmet: readonly string[]
}

const stamp = /^(created|updated)_?at$/i

/** Times that the tools keep themselves: `updatedAt`, `created_at`. A number does not say in which unit it counts. */
function supplyOf(column: Column): Supply | undefined {
  const { name, declared } = column
  const [, event] = stamp.exec(name) ?? []
  if (event && !holdsIntegers(declared))
    return { column: { ...column, kind: "time" }, value: "now", renewed: event.toLowerCase() === "updated" }
  if (name === "id" && !holdsIntegers(declared)) return { column, value: "id", renewed: false }
  return undefined
}

/** What the columns that no member is planned for demand. */
export function demandsOf(columns: Iterable<Column>): Demands {
  const demanded = [...columns].filter(({ kind, required, fills }) => kind === "other" && required && !fills)
  const supplies = demanded.flatMap((column) => supplyOf(column) ?? [])
  const supplied = new Set(supplies.map(({ column }) => column.name))
  return { supplies, unmet: demanded.map(({ name }) => name).filter((name) => !supplied.has(name)) }
}

/** Members of these come from the application too: from `profile`, or from `account` of a provider. */
export const openTables: ReadonlySet<TableKey> = new Set(["users", "accounts"])

/** Fills the columns of a row on its way to the table. Values that were given stay. */
export interface Supplier {
  forNew(columns: Row): Row
  forChanged(columns: Row): Row
}

export function createSupplier(supplies: readonly Supply[], dialect: SqlDialect, now: () => Date): Supplier {
  const valuesOf = (wanted: readonly Supply[]): Row => {
    // One time for the whole row: a new row was not changed after it was created.
    const time = now()
    const suppliedBy = ({ column, value }: Supply): unknown =>
      typeof value === "object" ? value : dialect.toColumn(value === "now" ? time : randomUUID(), column)
    return Object.fromEntries(wanted.map((supply) => [supply.column.name, suppliedBy(supply)]))
  }
  const renewed = supplies.filter((supply) => supply.renewed)
  return {
    forNew: (columns) => ({ ...valuesOf(supplies), ...columns }),
    forChanged: (columns) => ({ ...valuesOf(renewed), ...columns }),
  }
}
