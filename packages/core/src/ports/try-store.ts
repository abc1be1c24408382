/** Where tries are counted: in records, else in the memory of the process. */
import type { AuthError } from "../errors.js"
import type { CountAddition, Counted, RecordKey, StoredRecord } from "../types/records.js"
import type { Records } from "./records.js"

/** What keeps tries: the verbs of records that they need. */
export type TryStore = Pick<Records, "getRecord" | "putRecord" | "takeRecord" | "countRecord" | "deleteRecords">

/** Keeps at most so many tries in memory; the oldest goes first. */
export function createTryMemory(limit: number): TryStore {
  const rows = new Map<string, StoredRecord & { readonly sum?: number }>()
  const nameOf = ({ kind, key }: RecordKey): string => `${kind}/${key}`
  const living = (key: RecordKey, now: Date) => {
    const row = rows.get(nameOf(key))
    return row && row.expires > now ? row : undefined
  }
  const write = (row: StoredRecord & { readonly sum?: number }): void => {
    // A key that is written again counts as newest, so that many single tries cannot push it out.
    rows.delete(nameOf(row))
    rows.set(nameOf(row), row)
    if (rows.size > limit) rows.delete(rows.keys().next().value ?? "")
  }
  return {
    getRecord: async (key, now) => living(key, now) ?? null,
    async putRecord(record, { expected, now }) {
      if ((living(record, now)?.version ?? 0) !== expected) return false
      if (record.expires > now) write(record)
      else rows.delete(nameOf(record))
      return true
    },
    async takeRecord(key, now) {
      const row = living(key, now)
      rows.delete(nameOf(key))
      return row ?? null
    },
    async countRecord({ kind, key }, { add, expires, now }: CountAddition): Promise<Counted> {
      const row = living({ kind, key }, now)
      if (add <= 0 && row?.expires.getTime() !== expires.getTime()) return { sum: row?.sum ?? 0, expires }
      const next = { kind, key, userId: null, value: "", version: 1, expires: row?.expires ?? expires }
      const sum = (row?.sum ?? 0) + add
      write({ ...next, sum })
      return { sum, expires: next.expires }
    },
    async deleteRecords(userId, { kind } = {}) {
      const own = [...rows].filter(([, row]) => row.userId === userId && row.kind === kind)
      for (const [name] of own) rows.delete(name)
      return own.length
    },
  }
}

/** Milliseconds for which a store that failed is not asked. */
const pause = 30_000

/**
 * Counts in records; while they cannot be asked, in memory: a limit must neither let everybody pass nor refuse everybody.
 * Each time that begins, `tell` hears of it once.
 */
export function withTryMemory(
  records: TryStore,
  memory: TryStore,
): (now: Date, tell: (error: AuthError) => void) => TryStore {
  let awayUntil = 0
  return (now, tell) => {
    const choose = async <T>(work: (store: TryStore) => Promise<T>): Promise<T> => {
      if (now.getTime() < awayUntil) return work(memory)
      try {
        return await work(records)
      } catch (error) {
        if (now.getTime() >= awayUntil) tell(error as AuthError)
        awayUntil = now.getTime() + pause
        return work(memory)
      }
    }
    return {
      getRecord: (...given) => choose((store) => store.getRecord(...given)),
      putRecord: (...given) => choose((store) => store.putRecord(...given)),
      takeRecord: (...given) => choose((store) => store.takeRecord(...given)),
      countRecord: (...given) => choose((store) => store.countRecord(...given)),
      deleteRecords: (...given) => choose((store) => store.deleteRecords(...given)),
    }
  }
}
