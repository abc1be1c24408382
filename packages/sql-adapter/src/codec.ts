/** Between members on the service's side and columns on the database's side. */
import { type AliasedRawBuilder, sql } from "kysely"
import type { Row, SqlDialect } from "./dialects/dialect.js"
import type { TableLayout } from "./layout.js"

/** What becomes of members that have no column: left out, or refused with an error that names them. */
export type Strays = "leave out" | "refuse"

/** A value no row can hold finds nothing. */
export const unfindable: unique symbol = Symbol("unfindable")

/** Translates rows of one table. */
export interface Codec {
  /** The row as members. `prefix` is what the columns were selected with. */
  toMembers(row: Row, prefix?: string): Row
  /** Members as columns. */
  toColumns(members: Row, strays: Strays): Row
  /** One value as the column takes it, or `unfindable` when no row can hold it. */
  key(member: string, value: unknown): unknown
  /** The column that holds the member. */
  column(member: string): string
}

/** Selects every column under the member it holds. */
export function selection(layout: TableLayout, alias = "", prefix = ""): AliasedRawBuilder<unknown, string>[] {
  return [...layout.columns].map(([member, { name }]) =>
    sql.ref(alias === "" ? name : `${alias}.${name}`).as(`${prefix}${member}`),
  )
}

export function createCodec({ table, columns }: TableLayout, dialect: SqlDialect): Codec {
  return {
    toMembers(row, prefix = "") {
      const result: Row = {}
      for (const [member, { kind }] of columns) result[member] = dialect.fromColumn(row[prefix + member], kind)
      return result
    },
    toColumns(members, strays) {
      const result: Row = {}
      for (const [member, value] of Object.entries(members)) {
        const column = columns.get(member)
        if (value === undefined) continue
        if (column) result[column.name] = dialect.toColumn(value, column.kind, column.declared)
        else if (strays === "refuse") throw new TypeError(`The table "${table}" has no column for "${member}".`)
      }
      return result
    },
    key(member, value) {
      const { kind = "text", declared = "" } = columns.get(member) ?? {}
      try {
        return dialect.toColumn(value, kind, declared) ?? unfindable
      } catch {
        return unfindable
      }
    },
    column: (member) => columns.get(member)?.name ?? member,
  }
}
