/** Reading and writing the rows of one table. */
import { createChanges } from "./changes.js"
import { createCodec, selection, unfindable } from "./codec.js"
import type { Row } from "./dialects/dialect.js"
import { DuplicateError } from "./duplicates.js"
import { prepare } from "./prepared.js"
import type { Runner } from "./runner.js"
import { createStored } from "./stored.js"
import type { Table, TableParts } from "./table.js"

export function createTable(parts: TableParts): Table {
  const { layout, dialect, guard, supplier } = parts
  const { table } = layout
  const { builder } = dialect
  const codec = createCodec(layout, dialect)
  const all = selection(layout, dialect)
  const stored = createStored({ layout, dialect, codec })
  return {
    ...codec,
    ...createChanges(parts, codec),
    layout,
    finder(...by) {
      const start = builder.selectFrom(table).select(all)
      return prepare((slot) => by.reduce((query, member) => query.where(codec.isSame(member, slot(member))), start))
    },
    async find(runner, prepared, values) {
      const entries = Object.entries(values).map(([member, value]) => [member, codec.key(member, value)] as const)
      if (entries.some(([, value]) => value === unfindable)) return []
      const rows = await runner.read(prepared(Object.fromEntries(entries)))
      return rows.map((row) => codec.toMembers(row))
    },
    insert(runner, { members, strays = "refuse" }) {
      const columns = supplier.forNew(codec.toColumns(members, strays))
      const write = (on: Runner): Promise<Row> => stored.insert(on, { members, columns })
      if (!guard) return write(runner)
      return runner.locked(guard.lock, async (within) => {
        if (await guard.isTaken(within, members)) throw new DuplicateError("duplicate")
        return write(within)
      })
    },
  }
}
