/** What can be wrong with records: verbs, counters, and what a user has. */
import type { Adapter } from "../../../src/types/adapter.js"
import type { StoredRecord } from "../../../src/types/records.js"
import { type Fault, faulty, type TotalAdapter } from "./fault.js"

/** Changes what is put. */
export const puts = (change: (record: StoredRecord) => StoredRecord) => (good: TotalAdapter) =>
  ({ putRecord: (record, given) => good.putRecord(change(record), given) }) satisfies Partial<Adapter>

/** Puts without a condition. */
export async function force({ getRecord, putRecord }: TotalAdapter, record: StoredRecord): Promise<boolean> {
  const { version = 0 } = (await getRecord(record)) ?? {}
  return putRecord(record, { expected: version, now: new Date(0) })
}

const verbFaults: readonly Fault[] = [
  faulty(
    "loses whose a record is",
    ["a record comes back as it was put"],
    puts((record) => ({ ...record, userId: null })),
  ),
  faulty("answers an absent record with an empty one", ["a record that was never put is absent"], (good) => ({
    getRecord: async (key) =>
      (await good.getRecord(key)) ?? { ...key, userId: null, value: "", version: 1, expires: new Date() },
  })),
  faulty("puts over a record that is there", ["a record that is there is not put a second time"], (good) => ({
    putRecord: (record, given) => (given.expected === 0 ? force(good, record) : good.putRecord(record, given)),
  })),
  faulty(
    "replaces the value alone",
    [
      "a record is replaced, whole, by whoever knows its version",
      "a record that changes hands is listed where it went",
    ],
    (good) => ({
      async putRecord(record, given) {
        const before = given.expected === 0 ? null : await good.getRecord(record)
        const { value, version } = record
        return good.putRecord(before ? { ...before, value, version } : record, given)
      },
    }),
  ),
  faulty(
    "replaces older versions as well",
    ["a record is not replaced by whoever knows another version, and not made by whoever knows any"],
    (good) => ({
      putRecord: (record, given) => (given.expected > 0 ? force(good, record) : good.putRecord(record, given)),
    }),
  ),
  faulty(
    "compares ends with a clock of its own",
    [
      "a record is there until the moment it ends, by the clock that is given",
      "of 50 who replace a record that has ended at once, one does",
    ],
    (good) => ({ putRecord: (record, { expected }) => good.putRecord(record, { expected, now: new Date() }) }),
  ),
  faulty("keeps what was taken", ["a record is taken once, and can be put again"], (good) => ({
    takeRecord: good.getRecord,
  })),
  faulty(
    "counts versions in 32 bits",
    ["versions up to 2^53 - 1 and ends to the millisecond come back exactly"],
    puts((record) => ({ ...record, version: record.version % 2 ** 31 })),
  ),
  faulty(
    "keeps whole seconds",
    ["versions up to 2^53 - 1 and ends to the millisecond come back exactly"],
    puts((record) => ({ ...record, expires: new Date(Math.floor(record.expires.getTime() / 1000) * 1000) })),
  ),
  faulty(
    "cleans up around records",
    ["deleteExpired removes records that ended before the given time, and says how many"],
    () => ({
      deleteExpired: () => ({ sessions: 0, verificationTokens: 0, records: 0 }),
    }),
  ),
]

const counterFaults: readonly Fault[] = [
  faulty("moves the end of a counter", ["a counter adds up, and ends when its first addition said"], (good) => ({
    countRecord: async (key, given) => ({ ...(await good.countRecord(key, given)), expires: given.expires }),
  })),
  faulty(
    "counts for ever",
    [
      "a counter begins anew at the moment it ends, by the clock that is given",
      "additions at the moment a counter ends begin one new counter",
    ],
    (good) => ({
      countRecord: (key, given) => good.countRecord(key, { ...given, now: new Date(0) }),
    }),
  ),
  faulty("makes a counter by reading it", ["an addition of 0 reads a counter and makes none"], (good) => ({
    async countRecord(key, given) {
      if (given.add !== 0) return good.countRecord(key, given)
      const { expires } = await good.countRecord(key, { ...given, add: 1 })
      return good.countRecord(key, { ...given, add: -1, expires })
    },
  })),
  faulty(
    "takes back from any counter",
    ["what was added is taken back from the counter that ends at the given time, and from no other"],
    (good) => ({
      async countRecord(key, given) {
        const { expires } = await good.countRecord(key, { ...given, add: 0 })
        return good.countRecord(key, { ...given, expires })
      },
    }),
  ),
  faulty("takes no counters", ["a counter that is taken begins anew"], (good) => ({
    takeRecord: async (key) => ((await good.getRecord(key))?.value === "" ? null : good.takeRecord(key)),
  })),
]

const collectionFaults: readonly Fault[] = [
  faulty("lists all kinds", ["listRecords lists what a user has of a kind, and nothing else"], (good) => ({
    listRecords: async (kind, userId) => [
      ...(await good.listRecords(kind, userId)),
      ...(kind === "another" ? [] : await good.listRecords("another", userId)),
    ],
  })),
  faulty(
    "removes other kinds",
    ["deleteRecords removes what a user has of a kind, one key excepted, and says how many"],
    (good) => ({
      deleteRecords: (userId, { except }) => good.deleteRecords(userId, { ...(except !== undefined && { except }) }),
    }),
  ),
  faulty(
    "removes nothing without a kind",
    ["deleteRecords without a kind removes all a user has, and what is nobody's stays"],
    (good) => ({
      deleteRecords: (userId, given) => (given.kind === undefined ? 0 : good.deleteRecords(userId, given)),
    }),
  ),
  faulty(
    "pages in the order of dictionaries",
    ["scanRecords pages through a kind in the order of its keys"],
    (good) => ({
      async scanRecords(kind, { after, limit }) {
        const all = [...(await good.scanRecords(kind, { limit: 1000 }))]
        all.sort((one, other) => one.key.localeCompare(other.key))
        return all.slice(all.findIndex(({ key }) => key === after) + 1).slice(0, limit)
      },
    }),
  ),
]

export const recordFaults: readonly Fault[] = [...verbFaults, ...counterFaults, ...collectionFaults]
