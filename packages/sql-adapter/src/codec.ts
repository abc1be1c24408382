/** Between members on the service's side and columns on the database's side. */
import { type AliasedRawBuilder, type Expression, type SqlBool, sql } from "kysely"
import type { Column, Row, SqlDialect } from "./dialects/dialect.js"
import type { TableLayout } from "./layout.js"
import { fromJsonText, toJsonText } from "./values.js"

/** What happens to members without a column: ignored, or refused with an error that names them. */
export type Strays = "leave out" | "refuse"

/** A value that no row can hold finds nothing. */
export const unfindable: unique symbol = Symbol("unfindable")

/** In a condition: any of these values, as columns hold them. What callers hand over as a list is never read as this. */
export class AnyOf {
  readonly values: readonly unknown[]
  constructor(values: readonly unknown[]) {
    this.values = values
  }
}

/** Kinds of columns whose keys are texts; ids may be numbers. */
const namesRows: ReadonlySet<Column["kind"]> = new Set(["text", "id"])

function canName(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint"
}

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
  /** True for rows whose member is exactly the value, or any value of a list. `alias` is the table's in the statement. */
  isSame(member: string, value: unknown, alias?: string): Expression<SqlBool>
}

/** Selects every column under the member it holds. */
export function selection(
  { columns }: TableLayout,
  dialect: SqlDialect,
  { alias = "", prefix = "" }: { readonly alias?: string; readonly prefix?: string } = {},
): AliasedRawBuilder<unknown, string>[] {
  return [...columns].map(([member, column]) => {
    const ref = alias === "" ? column.name : `${alias}.${column.name}`
    return sql`${dialect.selected(ref, column)}`.as(`${prefix}${member}`)
  })
}

export function createCodec({ table, columns }: TableLayout, dialect: SqlDialect): Codec {
  const columnOf = (member: string): Column => columns.get(member) ?? { name: member, kind: "text", declared: "" }
  const list = (prefix: string) =>
    [...columns].map(([member, column]) => ({
      member,
      key: prefix + member,
      column,
      // What every database hands on as it came.
      isPlain: !column.json && (column.kind === "text" || column.kind === "other"),
    }))
  // Written once for each prefix, of which there are two: every read goes through here.
  const lists = new Map([["", list("")]])
  const listed = (prefix: string): ReturnType<typeof list> => {
    const found = lists.get(prefix) ?? list(prefix)
    lists.set(prefix, found)
    return found
  }
  return {
    toMembers(row, prefix = "") {
      const result: Row = {}
      for (const { member, key, column, isPlain } of listed(prefix)) {
        const value = row[key]
        if (isPlain) result[member] = value ?? null
        else {
          const read = dialect.fromColumn(value, column)
          result[member] = column.json ? fromJsonText(read) : read
        }
      }
      return result
    },
    toColumns(members, strays) {
      const result: Row = {}
      for (const [member, value] of Object.entries(members)) {
        const column = columns.get(member)
        if (value === undefined) continue
        if (column) result[column.name] = dialect.toColumn(column.json ? toJsonText(value) : value, column)
        else if (strays === "refuse") throw new TypeError(`The table "${table}" has no column for "${member}".`)
      }
      return result
    },
    key(member, value) {
      const column = columnOf(member)
      // Written as JSON, a list or an object would meet the row whose key is that text.
      if (namesRows.has(column.kind) && !canName(value)) return unfindable
      try {
        return dialect.toColumn(value, column) ?? unfindable
      } catch {
        return unfindable
      }
    },
    column: (member) => columnOf(member).name,
    isSame(member, value, alias = "") {
      const column = columnOf(member)
      return dialect.isSame(alias === "" ? column.name : `${alias}.${column.name}`, value, column)
    },
  }
}
