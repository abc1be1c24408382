/** What can be wrong with records at their limits: sizes, exact comparison, many at once, transactions. */
import type { Adapter } from "../../../src/types/adapter.js"
import type { RecordKey, StoredRecord } from "../../../src/types/records.js"
import { type Fault, faulty, pause, type TotalAdapter } from "./fault.js"
import { force, puts } from "./records.js"

/** Asks under a key that is only nearly the one that was given. */
const asksFor = (change: (key: RecordKey) => RecordKey) => (good: TotalAdapter) =>
  ({
    getRecord: (key) => good.getRecord(change(key)),
    takeRecord: (key) => good.takeRecord(change(key)),
    putRecord: (record, given) => good.putRecord({ ...record, ...change(record) }, given),
  }) satisfies Partial<Adapter>

const valueFaults: readonly Fault[] = [
  faulty(
    "cuts values",
    ["a value of 16 KiB comes back exactly, and so does any text"],
    puts((record) => ({ ...record, value: record.value.slice(0, 16 * 1024 - 1) })),
  ),
  faulty(
    "takes spaces at the end of an id for nothing",
    ["ids of users come back exactly, and are compared exactly"],
    (good) => ({
      listRecords: async (kind, userId) => [
        ...(await good.listRecords(kind, userId)),
        ...(await good.listRecords(kind, userId.trimEnd() === userId ? `${userId} ` : userId.trimEnd())),
      ],
    }),
  ),
  faulty(
    "reads keys without regard to case",
    ["kinds and keys are compared exactly"],
    asksFor(({ kind, key }) => ({ kind, key: key.toLowerCase() })),
  ),
  faulty(
    "takes kinds for beginnings",
    ["kinds and keys are compared exactly"],
    asksFor(({ kind, key }) => ({ kind: kind.replace(/-$/, ""), key })),
  ),
  faulty(
    "cuts keys",
    ["a kind of 32 characters and a key of 64 are kept apart from those that differ in the last one"],
    asksFor(({ kind, key }) => ({ kind, key: key.slice(0, 63) })),
  ),
]

const raceFaults: readonly Fault[] = [
  faulty(
    "reads, then writes",
    [
      "of 50 who put one record at once, one does",
      "of 50 who replace one version of a record at once, one does",
      "of 50 who replace a record that has ended at once, one does",
    ],
    (good) => ({
      async putRecord(record, { expected, now }) {
        const before = await good.getRecord(record)
        const version = before && before.expires > now ? before.version : 0
        await pause()
        return version === expected && force(good, record)
      },
    }),
  ),
  faulty("reads, then takes", ["of 50 who take one record at once, one gets it"], (good) => ({
    async takeRecord(key) {
      const found = await good.getRecord(key)
      await pause()
      await good.takeRecord(key)
      return found
    },
  })),
  faulty("lists, then reads", ["a list that is read while one record replaces another shows one of them"], (good) => ({
    async listRecords(kind, userId) {
      const listed = await good.listRecords(kind, userId)
      await pause()
      const found = await Promise.all(listed.map((record) => good.getRecord(record)))
      return found.filter((record) => record !== null)
    },
  })),
  faulty("adds, then reads", ["1,000 additions at once add up, and no two of them see the same sum"], (good) => ({
    async countRecord(key, given) {
      await good.countRecord(key, given)
      await pause()
      return good.countRecord(key, { ...given, add: 0 })
    },
  })),
  faulty(
    "begins a new counter for everybody who finds an ended one",
    ["additions at the moment a counter ends begin one new counter"],
    (good) => ({
      async countRecord(key, given) {
        const { sum } = await good.countRecord(key, { ...given, add: 0 })
        await pause()
        if (sum === 0) await good.takeRecord(key)
        return good.countRecord(key, given)
      },
    }),
  ),
  faulty(
    "forgets at the end of a transaction",
    ["records that are written in a transaction are there afterwards"],
    (good) => ({
      transaction: (work) => good.transaction((open) => work({ ...open, putRecord: () => true })),
    }),
  ),
  faulty(
    "writes records beside the transaction",
    ["records are as before when the transaction that changed them is rolled back"],
    (good) => {
      const beside: TotalAdapter = { ...good }
      return {
        getRecord: beside.getRecord,
        transaction: async (work) => {
          const written: StoredRecord[] = []
          try {
            return await good.transaction((open) =>
              work({
                ...open,
                putRecord: (record, given) => {
                  written.push(record)
                  return open.putRecord?.(record, given) ?? false
                },
              }),
            )
          } catch (error) {
            for (const record of written) await force(good, record)
            throw error
          }
        },
      }
    },
  ),
  faulty(
    "answers before it has written",
    ["what a process has done with records before it ends is there, and nothing else, after every verb"],
    (good) => ({
      async putRecord(record, given) {
        setTimeout(() => good.putRecord(record, given), 20)
        return true
      },
    }),
  ),
]

export const recordEdgeFaults: readonly Fault[] = [...valueFaults, ...raceFaults]
