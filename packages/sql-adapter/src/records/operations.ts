/** The verbs of a store of records. */
import type { Counted, RecordKey, RecordStore, StoredRecord } from "@latchkey/core/records"
import type { CompiledQuery } from "kysely"
import { type Codec, createCodec, selection, unfindable } from "../codec.js"
import type { Row, SqlDialect } from "../dialects/dialect.js"
import { DuplicateError } from "../duplicates.js"
import type { TableLayout } from "../layout.js"
import type { Runner } from "../runner.js"
import { type RecordStatements, recordStatements } from "./statements.js"

/** The table of records, ready to be read and written on any runner. */
export interface RecordTable {
  readonly layout: TableLayout
  on(runner: Runner): RecordStore
}

/** What the verbs work with. */
interface Parts {
  readonly layout: TableLayout
  readonly dialect: SqlDialect
  readonly codec: Codec
  readonly statements: RecordStatements
}

export function createRecordTable(layout: TableLayout, dialect: SqlDialect): RecordTable {
  const codec = createCodec(layout, dialect)
  const parts: Parts = { layout, dialect, codec, statements: recordStatements(layout, dialect, codec) }
  return {
    layout,
    on: (runner) => ({ ...singles(parts, runner), ...counters(parts, runner), ...lists(parts, runner) }),
  }
}

const recordOf = ({ codec }: Parts, row: Row): StoredRecord => codec.toMembers(row) as unknown as StoredRecord

/** The key as columns hold it, or nothing when no row can have it. */
function keyOf({ codec }: Parts, { kind, key }: RecordKey): Row | undefined {
  const found = { kind: codec.key("kind", kind), key: codec.key("key", key) }
  return Object.values(found).includes(unfindable) ? undefined : found
}

/** Members as columns take them, by member. Throws where the database cannot hold one exactly. */
function valuesOf({ codec }: Parts, members: Row): Row {
  const columns = codec.toColumns(members, "refuse")
  return Object.fromEntries(Object.keys(members).map((member) => [member, columns[codec.column(member)]]))
}

/** Runs a statement, and says whether it changed a row. */
async function changes({ dialect }: Parts, runner: Runner, query: CompiledQuery): Promise<boolean> {
  const { rows, numAffectedRows } = await runner.write(query, { mayCollide: true })
  return dialect.returning ? rows.length > 0 : (numAffectedRows ?? 0n) > 0n
}

/** Puts a record where none is, or only one that has ended. */
async function insert(parts: Parts, runner: Runner, values: Row): Promise<boolean> {
  const { dialect, statements } = parts
  try {
    return await changes(parts, runner, statements.insert()(values))
  } catch (error) {
    if (dialect.returning || !(error instanceof DuplicateError)) throw error
    return changes(parts, runner, statements.replaceEnded()(values))
  }
}

/** Where writes answer no rows: removes what was read, and reads again when it was changed in between. */
async function takeRead(parts: Parts, runner: Runner, key: Row): Promise<StoredRecord | null> {
  const { statements } = parts
  for (;;) {
    const [row] = await runner.read(statements.get()(key))
    if (!row) return null
    const record = recordOf(parts, row)
    if (await changes(parts, runner, statements.remove()({ ...key, version: record.version }))) return record
  }
}

function singles(parts: Parts, runner: Runner): Pick<RecordStore, "getRecord" | "putRecord" | "takeRecord"> {
  const { dialect, statements } = parts
  return {
    async getRecord(key) {
      const values = keyOf(parts, key)
      const [row] = values ? await runner.read(statements.get()(values), { isSingle: true }) : []
      return row ? recordOf(parts, row) : null
    },
    async putRecord({ kind, key, userId, value, version, expires }, { expected, now }) {
      const members = valuesOf(parts, { kind, key, userId, value, version, expires })
      const values = { ...members, expected, now: now.getTime() }
      return expected === 0 ? insert(parts, runner, values) : changes(parts, runner, statements.replace()(values))
    },
    async takeRecord(key) {
      const values = keyOf(parts, key)
      if (!values) return null
      if (!dialect.returning) return takeRead(parts, runner, values)
      const [row] = (await runner.write(statements.remove()(values))).rows
      return row ? recordOf(parts, row) : null
    },
  }
}

/** What a counter stands at. */
const countedOf = ({ sum, expires }: Row): Counted => ({ sum: Number(sum), expires: new Date(Number(expires)) })

function counters(parts: Parts, runner: Runner): Pick<RecordStore, "countRecord"> {
  const { dialect, statements } = parts
  /** Adds in one statement, so that on a cluster no other server can undo it between two of them. */
  async function added(values: Row): Promise<Row | undefined> {
    const { rows, insertId, numAffectedRows } = await runner.write(statements.add()(values))
    if (dialect.returning) return rows[0]
    const begun = { sum: values.add, expires: values.expires }
    // A changed row counts as two, and alone answers its sum. A new one answers an id where the table numbers its rows.
    if (numAffectedRows === 1n && !insertId) return begun
    const [row = begun] = await runner.read(statements.readAdded()(values))
    // Drivers need not pass on what the statement answers: nobody would reach a limit then.
    return numAffectedRows === 2n && insertId ? { ...row, sum: insertId } : row
  }
  async function takenBack(values: Row): Promise<Row | undefined> {
    const change = statements.takeBack()(values)
    if (dialect.returning) return (await runner.write(change)).rows[0]
    return runner.atomically(async (within) => {
      await within.write(change)
      return (await within.read(statements.readSum()(values)))[0]
    })
  }
  return {
    async countRecord({ kind, key }, { add, expires, now }) {
      const values = { ...valuesOf(parts, { kind, key, expires }), add, now: now.getTime() }
      const changed = add > 0 ? await added(values) : add < 0 ? await takenBack(values) : undefined
      const row = changed ?? (await runner.read(statements.readSum()(values)))[0]
      return row ? countedOf(row) : { sum: 0, expires: new Date(expires) }
    },
  }
}

function lists(parts: Parts, runner: Runner): Pick<RecordStore, "listRecords" | "deleteRecords" | "scanRecords"> {
  const { layout, dialect, codec } = parts
  const { builder } = dialect
  const all = builder.selectFrom(layout.table).select(selection(layout, dialect))
  const read = async (query: CompiledQuery): Promise<StoredRecord[]> =>
    (await runner.read(query)).map((row) => recordOf(parts, row))
  return {
    async listRecords(kind, userId) {
      const [wanted, user] = [codec.key("kind", kind), codec.key("userId", userId)]
      if (wanted === unfindable || user === unfindable) return []
      return read(all.where(codec.isSame("kind", wanted)).where(codec.isSame("userId", user)).compile())
    },
    async deleteRecords(userId, { kind, except }) {
      const user = codec.key("userId", userId)
      if (user === unfindable) return 0
      const owned = builder.deleteFrom(layout.table).where(codec.isSame("userId", user))
      const ofKind = kind === undefined ? owned : owned.where(codec.isSame("kind", kind))
      const query = except === undefined ? ofKind : ofKind.where(codec.column("key"), "<>", except)
      return Number((await runner.write(query.compile())).numAffectedRows ?? 0)
    },
    scanRecords(kind, { after = "", limit }) {
      const key = codec.column("key")
      const ofKind = all.where(codec.isSame("kind", kind)).where("sum", "is", null)
      return read(ofKind.where(key, ">", after).orderBy(key).limit(limit).compile())
    },
  }
}
