/** Reading and writing the rows of one table. */
import type { CompiledQuery } from "kysely"
import { type Codec, createCodec, type Strays, selection, unfindable } from "./codec.js"
import type { Row, SqlDialect } from "./dialects/dialect.js"
import type { TableLayout } from "./layout.js"
import { type Prepared, prepare } from "./prepared.js"
import type { Runner } from "./runner.js"

/** One table, ready to be read and written. Conditions are members; a list means any of its values. */
export interface Table extends Codec {
  readonly layout: TableLayout
  /** The statement that finds rows by these members. */
  finder(...by: string[]): Prepared
  find(runner: Runner, prepared: Prepared, values: Row): Promise<Row[]>
  insert(runner: Runner, members: Row, strays?: Strays): Promise<Row>
  update(runner: Runner, change: { where: Row; to: Row; strays?: Strays }): Promise<Row[]>
  remove(runner: Runner, where: Row): Promise<Row[]>
}

/** The columns and values of a condition, or nothing when no row can fulfil it. */
function condition(codec: Codec, where: Row): [string, unknown][] | undefined {
  const keys = Object.entries(where).map(([member, value]): [string, unknown] => [
    codec.column(member),
    Array.isArray(value) ? value : codec.key(member, value),
  ])
  return keys.some(([, value]) => value === unfindable) ? undefined : keys
}

const comparison = (value: unknown): "in" | "=" => (Array.isArray(value) ? "in" : "=")

export function createTable(layout: TableLayout, dialect: SqlDialect): Table {
  const { table } = layout
  const { builder } = dialect
  const codec = createCodec(layout, dialect)
  const all = selection(layout)
  const run = async (runner: Runner, query: CompiledQuery): Promise<Row[]> =>
    (await runner.write(query)).rows.map((row) => codec.toMembers(row))
  return {
    ...codec,
    layout,
    finder(...by) {
      const start = builder.selectFrom(table).select(all)
      return prepare((slot) =>
        by.reduce((query, member) => query.where(codec.column(member), "=", slot(member)), start),
      )
    },
    async find(runner, prepared, values) {
      const entries = Object.entries(values).map(([member, value]) => [member, codec.key(member, value)] as const)
      if (entries.some(([, value]) => value === unfindable)) return []
      const rows = await runner.read(prepared(Object.fromEntries(entries)))
      return rows.map((row) => codec.toMembers(row))
    },
    async insert(runner, members, strays = "refuse") {
      const columns = codec.toColumns(members, strays)
      const [row] = await run(runner, builder.insertInto(table).values(columns).returning(all).compile())
      if (!row) throw new Error(`Nothing was written to "${table}".`)
      return row
    },
    async update(runner, { where, to, strays = "refuse" }) {
      const columns = codec.toColumns(to, strays)
      const keys = condition(codec, where)
      if (!keys) return []
      // A patch without members still answers the row.
      const start = builder.updateTable(table).set(Object.keys(columns).length > 0 ? columns : Object.fromEntries(keys))
      const query = keys.reduce((q, [column, value]) => q.where(column, comparison(value), value), start)
      return run(runner, query.returning(all).compile())
    },
    async remove(runner, where) {
      const keys = condition(codec, where)
      if (!keys) return []
      const start = builder.deleteFrom(table)
      const query = keys.reduce((q, [column, value]) => q.where(column, comparison(value), value), start)
      return run(runner, query.returning(all).compile())
    },
  }
}
