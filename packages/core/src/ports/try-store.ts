/** Where tries are counted: in records, else in the memory of the process. */
import type { AuthError } from "../errors.js"
import type { CountAddition, Counted, RecordKey, StoredRecord } from "../types/records.js"
import type { Records } from "./records.js"

/** What keeps tries: the verbs of records that they need. */
export type TryStore = Pick<Records, "getRecord" | "putRecord" | "takeRecord" | "countRecord" | "deleteRecords">

/** Tries in the memory of the process. */
export interface TryMemory extends TryStore {
  /**
   * Takes over what records hold under a key, so that counting goes on from there while they cannot be asked. What the memory has
   * counted itself stays, because records know nothing of it, unless they have counted more.
   */
  note(key: RecordKey, row: Row | null, now: Date): void
  /** Counts on from what was noted, which others that share the memory do not see: their records are not those. */
  readonly standIn: TryStore
}

type Row = StoredRecord & { readonly sum?: number; readonly isNoted?: true }

/** Keeps at most so many tries in memory; the oldest goes first. */
export function createTryMemory(limit: number): TryMemory {
  const rows = new Map<string, Row>()
  const nameOf = ({ kind, key }: RecordKey): string => `${kind}/${key}`
  const found = (key: RecordKey, now: Date): Row | undefined => {
    const row = rows.get(nameOf(key))
    return row && row.expires > now ? row : undefined
  }
  const write = (row: Row): void => {
    // A key that is written again counts as newest, so that many single tries cannot push it out.
    rows.delete(nameOf(row))
    rows.set(nameOf(row), row)
    if (rows.size > limit) rows.delete(rows.keys().next().value ?? "")
  }
  const verbs = (living: typeof found): TryStore => ({
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
  })
  const counted = (key: RecordKey, now: Date): Row | undefined => {
    const row = found(key, now)
    return row?.isNoted ? undefined : row
  }
  return {
    ...verbs(counted),
    standIn: verbs(found),
    note(key, row, now) {
      const own = counted(key, now)
      const living = row && row.expires > now ? row : undefined
      if (own && (!living || timesOf(own) >= timesOf(living))) return
      if (living) write({ ...living, isNoted: true })
      else rows.delete(nameOf(key))
    },
  }
}

/** How often something was counted under a key: a sum, or what the value of tries at a person begins with. */
const timesOf = ({ sum, value }: Row): number => sum ?? (Number.parseInt(value, 10) || 0)

/** Milliseconds for which a store that failed is not asked. */
const pause = 30_000

/** Records whose answers are noted in memory. */
function noted(records: TryStore, memory: TryMemory): TryStore {
  return {
    async getRecord(key, now) {
      const found = await records.getRecord(key, now)
      memory.note(key, found, now)
      return found
    },
    async putRecord(record, given) {
      const isPut = await records.putRecord(record, given)
      if (isPut) memory.note(record, record, given.now)
      return isPut
    },
    async takeRecord(key, now) {
      const taken = await records.takeRecord(key, now)
      memory.note(key, null, now)
      return taken
    },
    async countRecord(key, given) {
      const counted = await records.countRecord(key, given)
      memory.note(key, { ...key, userId: null, value: "", version: 1, ...counted }, given.now)
      return counted
    },
    deleteRecords: (...given) => records.deleteRecords(...given),
  }
}

/**
 * Counts in records; while they cannot be asked, in memory, from what they answered last: a limit must neither let everybody pass
 * nor refuse everybody. Each time that begins, `tell` hears of it once.
 */
export function withTryMemory(
  records: TryStore,
  memory: TryMemory,
): (now: Date, tell: (error: AuthError) => void) => TryStore {
  const asked = noted(records, memory)
  let awayUntil = 0
  return (now, tell) => {
    const choose = async <T>(work: (store: TryStore) => Promise<T>): Promise<T> => {
      if (now.getTime() < awayUntil) return work(memory.standIn)
      try {
        return await work(asked)
      } catch (error) {
        if (now.getTime() >= awayUntil) tell(error as AuthError)
        awayUntil = now.getTime() + pause
        return work(memory.standIn)
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
