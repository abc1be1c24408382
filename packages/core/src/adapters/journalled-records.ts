/** A store of records beside an adapter, and the same store with an undo log for what was done inside a transaction. */
import type { Adapter } from "../types/adapter.js"
import type { Awaitable } from "../types/identity.js"
import type { RecordStore } from "../types/records.js"

/** Keeps records of users it need not know. */
export interface RecordPart extends RecordStore, Pick<Adapter, "deleteExpired"> {}

const longAgo = (): Date => new Date(0)

/**
 * The same store, with an undo step noted for each write. A write is undone by its version, so that a later change by somebody else
 * stays. Attempts stay counted, and what `deleteRecords` removed stays removed.
 */
export function journalledRecords(store: RecordPart, undos: (() => Awaitable<unknown>)[]): RecordPart {
  return {
    getRecord: (key) => store.getRecord(key),
    async putRecord(record, given) {
      const { kind, key, version } = record
      const before = given.expected === 0 ? null : await store.getRecord({ kind, key })
      // A record that has ended counts as absent.
      const earlier = before?.version === given.expected ? before : { ...record, expires: longAgo() }
      // Noted first: a call that fails may have written.
      undos.push(() => store.putRecord(earlier, { expected: version, now: longAgo() }))
      return store.putRecord(record, given)
    },
    async takeRecord(key) {
      const row = await store.takeRecord(key)
      if (row) undos.push(() => store.putRecord(row, { expected: 0, now: longAgo() }))
      return row
    },
    countRecord: (key, given) => store.countRecord(key, given),
    listRecords: (kind, userId) => store.listRecords(kind, userId),
    deleteRecords: (userId, given) => store.deleteRecords(userId, given),
    scanRecords: (kind, given) => store.scanRecords(kind, given),
    ...(store.deleteExpired && {
      deleteExpired: async (now, options) =>
        (await store.deleteExpired?.(now, options)) ?? { sessions: 0, verificationTokens: 0 },
    }),
  }
}
