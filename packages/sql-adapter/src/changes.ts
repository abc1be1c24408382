/** Changing and removing the rows of one table. */
import type { CompiledQuery, DeleteQueryBuilder, DeleteResult } from "kysely"
import { AnyOf, type Codec, selection, unfindable } from "./codec.js"
import type { Row, Tables } from "./dialects/dialect.js"
import type { Runner } from "./runner.js"
import type { Change, Changes, TableParts } from "./table.js"

/** Members and their values, as columns take them. */
type Keys = readonly (readonly [member: string, value: unknown])[]

/** The condition, or nothing when no row can fulfil it. */
function condition(codec: Codec, where: Row): Keys | undefined {
  const keys = Object.entries(where).map(
    ([member, value]) => [member, value instanceof AnyOf ? value.values : codec.key(member, value)] as const,
  )
  return keys.some(([, value]) => value === unfindable) ? undefined : keys
}

export function createChanges({ layout, dialect, unique, supplier }: TableParts, codec: Codec): Changes {
  const { table } = layout
  const { builder } = dialect
  const all = selection(layout, dialect)
  const read = async (runner: Runner, query: CompiledQuery): Promise<Row[]> =>
    (await runner.read(query)).map((row) => codec.toMembers(row))
  const rowsWhere = (keys: Keys) =>
    keys.reduce((query, key) => query.where(codec.isSame(...key)), builder.selectFrom(table).select(all))
  const rowsOf = (keys: Keys): CompiledQuery => rowsWhere(keys).compile()
  const deletion = (keys: Keys): DeleteQueryBuilder<Tables, string, DeleteResult> =>
    keys.reduce((query, key) => query.where(codec.isSame(...key)), builder.deleteFrom(table))

  async function update(runner: Runner, { where, to, strays = "refuse" }: Change): Promise<Row[]> {
    const columns = codec.toColumns(to, strays)
    const keys = condition(codec, where)
    if (!keys) return []
    // A patch without members still answers the row.
    if (Object.keys(columns).length === 0) return read(runner, rowsOf(keys))
    const mayCollide = unique.some((member) => to[member] !== undefined)
    const start = builder.updateTable(table).set(supplier.forChanged(columns))
    const query = keys.reduce((q, key) => q.where(codec.isSame(...key)), start)
    if (dialect.returning) {
      const { rows } = await runner.write(query.returning(all).compile(), { mayCollide })
      return rows.map((row) => codec.toMembers(row))
    }
    const { numAffectedRows } = await runner.write(query.compile(), { mayCollide })
    // Either there is no such row, or nothing of it was new: asked with a lock, which no earlier read answers.
    if (numAffectedRows === 0n) return read(runner, rowsWhere(keys).forUpdate().compile())
    const after = keys.map(([member, value]) => {
      const changed = to[member]
      return [member, changed === undefined ? value : codec.key(member, changed)] as const
    })
    return read(runner, rowsOf(after))
  }

  async function remove(runner: Runner, where: Row): Promise<Row[]> {
    const keys = condition(codec, where)
    if (!keys) return []
    if (dialect.returning) {
      const { rows } = await runner.write(deletion(keys).returning(all).compile())
      return rows.map((row) => codec.toMembers(row))
    }
    const found = await read(runner, rowsOf(keys))
    if (found.length === 0) return []
    const { numAffectedRows = 0n } = await runner.write(deletion(keys).compile())
    return found.slice(0, Number(numAffectedRows))
  }

  async function drop(runner: Runner, where: Row): Promise<number> {
    const keys = condition(codec, where)
    if (!keys) return 0
    return Number((await runner.write(deletion(keys).compile())).numAffectedRows ?? 0)
  }

  return { update, remove, drop }
}
