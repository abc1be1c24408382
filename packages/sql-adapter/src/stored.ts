/** Inserts a row and returns it as stored: some databases return it, for others it is put together here. */
import type { Codec } from "./codec.js"
import { selection } from "./codec.js"
import { idFromText } from "./dialects/columns.js"
import type { Row, SqlDialect } from "./dialects/dialect.js"
import { DuplicateError } from "./duplicates.js"
import type { TableLayout } from "./layout.js"
import type { Runner } from "./runner.js"
import { asBoolean, asNumber, asTime, fromJsonText, toJsonText } from "./values.js"

/** A row on its way: as members, and as columns. */
export interface Written {
  readonly members: Row
  readonly columns: Row
}

/** A row that was written, as members. */
export interface Stored {
  insert(runner: Runner, written: Written): Promise<Row>
}

export function createStored({
  layout,
  dialect,
  codec,
}: {
  readonly layout: TableLayout
  readonly dialect: SqlDialect
  readonly codec: Codec
}): Stored {
  const { table } = layout
  const { builder, passesOver } = dialect
  const all = selection(layout, dialect)

  async function answered(runner: Runner, { columns }: Written): Promise<Row> {
    const start = builder.insertInto(table).values(columns).returning(all)
    // An error would take a transaction with it; passing over leaves it as it is. A batch is to go with it.
    const query = passesOver && !runner.isBatch ? start.onConflict((conflict) => conflict.doNothing()) : start
    const [row] = (await runner.write(query.compile())).rows
    if (!row) throw passesOver ? new DuplicateError("23505") : new Error(`Nothing was written to "${table}".`)
    return codec.toMembers(row)
  }

  /** The value of a column, from what was written to it. */
  function echo(member: string, value: unknown): unknown {
    const { kind, json } = layout.columns.get(member) ?? {}
    if (value === undefined || value === null) return null
    if (json) return fromJsonText(toJsonText(value))
    if (kind === "time") return asTime(value)
    if (kind === "integer") return asNumber(value)
    if (kind === "boolean") return asBoolean(value)
    return typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value)
  }

  async function composed(runner: Runner, { members, columns }: Written): Promise<Row> {
    const { insertId } = await runner.write(builder.insertInto(table).values(columns).compile())
    const made = insertId === undefined || "id" in members ? {} : { id: idFromText(insertId) }
    const known: Row = { ...members, ...made }
    const isWhole = [...layout.columns].every(
      ([member, { name, kind, fills }]) =>
        (known[member] === undefined ? !fills && !(name in columns) : kind !== "other") || member in made,
    )
    if (isWhole)
      return Object.fromEntries([...layout.columns.keys()].map((member) => [member, echo(member, known[member])]))
    const names = keyMembers.find((key) => key.every((name) => known[name] !== undefined)) ?? Object.keys(known)
    const start = builder.selectFrom(table).select(all)
    const query = names.reduce((q, name) => q.where(codec.isSame(name, codec.key(name, known[name]))), start)
    const [row] = await runner.read(query.compile())
    if (!row) throw new Error(`Nothing was written to "${table}".`)
    return codec.toMembers(row)
  }

  return { insert: dialect.returning ? answered : composed }
}

/** Members that together name a row. */
const keyMembers: readonly (readonly string[])[] = [
  ["id"],
  ["sessionToken"],
  ["credentialID"],
  ["provider", "providerAccountId"],
  ["identifier", "token"],
]
