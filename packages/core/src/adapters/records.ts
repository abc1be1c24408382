/** Records in memory: the verbs on a table, each in one synchronous step, and a store that has nothing else. */
import type { Adapter, ExpiredRows } from "../types/adapter.js"
import type { RecordKey, RecordStore, StoredRecord } from "../types/records.js"
import { createTable, type Journal, type Table } from "./tables.js"

/** A row; a counter has a sum. */
export interface RecordRow extends StoredRecord {
  readonly sum?: number
}

/** The verbs, answering at once. */
type Synchronous = {
  readonly [Verb in keyof RecordStore]: (
    ...args: Parameters<RecordStore[Verb]>
  ) => Awaited<ReturnType<RecordStore[Verb]>>
}

/** After so many writes what has ended is removed, so that a process that runs for long does not grow. */
const writesBetweenSweeps = 1000

/** Two strings as one name that no other pair shares: a kind has no slash. */
const nameOf = ({ kind, key }: RecordKey): string => `${kind}/${key}`
const hasEnded = ({ expires }: RecordRow, now: Date): boolean => expires <= now

function shown({ kind, key, userId, value, version, expires }: RecordRow): StoredRecord {
  return { kind, key, userId, value, version, expires }
}

/** Removes the rows that match, and says how many there were. */
export function dropWhere<Row>(table: Table<Row>, match: (row: Row) => boolean): number {
  const found = table.entries().filter(([, row]) => match(row))
  for (const [name] of found) table.drop(name)
  return found.length
}

/** Matches what has ended before a moment. */
export const endedBefore =
  (now: Date) =>
  ({ expires }: { readonly expires: Date }): boolean =>
    expires < now

/** The verbs on a table. Their answers share nothing with the rows. */
export function recordOperations(table: Table<RecordRow>): Synchronous {
  let writes = 0
  const living = (key: RecordKey, now: Date): RecordRow | undefined => {
    const row = table.get(nameOf(key))
    return row && !hasEnded(row, now) ? row : undefined
  }
  const write = (row: RecordRow, now: Date): void => {
    table.put(nameOf(row), row)
    writes += 1
    if (writes % writesBetweenSweeps === 0) dropWhere(table, endedBefore(now))
  }
  return {
    getRecord(key) {
      const row = table.get(nameOf(key))
      return row ? shown(row) : null
    },
    putRecord(record, { expected, now }) {
      if ((living(record, now)?.version ?? 0) !== expected) return false
      write(shown(record), now)
      return true
    },
    takeRecord(key) {
      const row = table.drop(nameOf(key))
      return row ? shown(row) : null
    },
    countRecord({ kind, key }, { add, expires, now }) {
      const row = living({ kind, key }, now)
      const ends = row?.expires ?? expires
      const isRefused = add <= 0 && row?.expires.getTime() !== expires.getTime()
      const sum = (row?.sum ?? 0) + (isRefused ? 0 : add)
      if (!isRefused) write({ kind, key, userId: null, value: "", version: 1, expires: ends, sum }, now)
      return { sum, expires: new Date(ends) }
    },
    listRecords: (kind, userId) =>
      table
        .entries()
        .filter(([, row]) => row.kind === kind && row.userId === userId)
        .map(([, row]) => shown(row)),
    deleteRecords: (userId, { kind, except }) =>
      dropWhere(
        table,
        (row) => row.userId === userId && (kind === undefined || row.kind === kind) && row.key !== except,
      ),
    scanRecords: (kind, { after = "", limit }) =>
      table
        .entries()
        .filter(([, row]) => row.kind === kind && row.sum === undefined && row.key > after)
        .map(([, row]) => shown(row))
        .sort((one, other) => (one.key < other.key ? -1 : 1))
        .slice(0, limit),
  }
}

const withoutUndo: Journal = { record: () => {}, savepoint: () => 0, rollbackTo: () => {}, clear: () => {} }

/**
 * Makes a store that keeps records in memory, for use beside an adapter that keeps none, in tests and in prototypes: it
 * is gone when the process ends, and no other process sees it.
 *
 * @example
 * ```ts
 * import { memoryRecords } from "@latchkey/core/memory"
 *
 * export const records = memoryRecords()
 * ```
 */
export function memoryRecords(): RecordStore & Required<Pick<Adapter, "deleteExpired">> {
  const table = createTable<RecordRow>(withoutUndo)
  return {
    ...recordOperations(table),
    deleteExpired: (now): ExpiredRows => ({
      sessions: 0,
      verificationTokens: 0,
      records: dropWhere(table, endedBefore(now)),
    }),
  }
}
