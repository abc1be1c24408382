/** The contract of single records and of counters. */
import { type ContractCase, group } from "./case.js"
import { absent, holds, present, same } from "./check.js"
import {
  aroundEnd,
  count,
  draftRecord,
  early,
  newRecord,
  putNew,
  reading,
  recordKey,
  stands,
} from "./record-samples.js"
import { later, unusualTimes } from "./samples.js"

const single: readonly ContractCase[] = group("records", {
  "a record comes back as it was put": [
    reading,
    async (kit) => {
      for (const userId of [null, kit.fresh("user")]) {
        const record = await newRecord(kit, { userId })
        holds(present(await kit.adapter.getRecord(recordKey(record)), "getRecord"), record, "the record")
      }
    },
  ],
  "a record that was never put is absent": [
    ["getRecord", "takeRecord"],
    async (kit) => {
      const key = recordKey(draftRecord(kit))
      absent(await kit.adapter.getRecord(key), "getRecord")
      absent(await kit.adapter.takeRecord(key), "takeRecord")
    },
  ],
  "a record that is there is not put a second time": [
    reading,
    async (kit) => {
      const record = await newRecord(kit)
      same(await putNew(kit, { ...record, value: "other", version: 8 }), false, "putRecord where there is one")
      holds(present(await kit.adapter.getRecord(recordKey(record)), "getRecord"), record, "the record")
    },
  ],
  "a record is replaced, whole, by whoever knows its version": [
    reading,
    async (kit) => {
      const record = await newRecord(kit, { userId: kit.fresh("user") })
      const next = { ...record, userId: kit.fresh("user"), value: "next", version: 8, expires: aroundEnd(1) }
      same(await kit.adapter.putRecord(next, { expected: 7, now: early() }), true, "putRecord with the version")
      holds(present(await kit.adapter.getRecord(recordKey(record)), "getRecord"), next, "the record")
    },
  ],
  "a record is not replaced by whoever knows another version, and not made by whoever knows any": [
    reading,
    async (kit) => {
      const record = await newRecord(kit)
      const absentRecord = draftRecord(kit)
      for (const expected of [6, 8, 1]) {
        const next = { ...record, value: "next", version: expected + 1 }
        same(await kit.adapter.putRecord(next, { expected, now: early() }), false, `putRecord with version ${expected}`)
        const made = await kit.adapter.putRecord(absentRecord, { expected, now: early() })
        same(made, false, `putRecord with version ${expected} where there is none`)
      }
      holds(present(await kit.adapter.getRecord(recordKey(record)), "getRecord"), record, "the record")
      absent(await kit.adapter.getRecord(recordKey(absentRecord)), "the record that was never made")
    },
  ],
  "a record is there until the moment it ends, by the clock that is given": [
    reading,
    async (kit) => {
      const record = await newRecord(kit)
      const next = { ...record, value: "next", version: 99, expires: aroundEnd(60_000) }
      same(await putNew(kit, next, aroundEnd(-1)), false, "putRecord a millisecond before the end")
      same(await kit.adapter.putRecord(next, { expected: 7, now: aroundEnd(0) }), false, "its version at the end")
      holds(present(await kit.adapter.getRecord(recordKey(record)), "getRecord"), record, "the record")
      same(await putNew(kit, next, aroundEnd(0)), true, "putRecord at the end")
      holds(present(await kit.adapter.getRecord(recordKey(record)), "getRecord"), next, "the new record")
    },
  ],
  "a record is taken once, and can be put again": [
    [...reading, "takeRecord"],
    async (kit) => {
      const record = await newRecord(kit, { userId: kit.fresh("user") })
      holds(present(await kit.adapter.takeRecord(recordKey(record)), "takeRecord"), record, "the record")
      absent(await kit.adapter.takeRecord(recordKey(record)), "takeRecord once more")
      absent(await kit.adapter.getRecord(recordKey(record)), "getRecord")
      same(await putNew(kit, { ...record, version: 3 }), true, "putRecord after takeRecord")
    },
  ],
  "versions up to 2^53 - 1 and ends to the millisecond come back exactly": [
    reading,
    async (kit) => {
      for (const time of unusualTimes) {
        const record = await newRecord(kit, { version: Number.MAX_SAFE_INTEGER, expires: new Date(time) })
        const found = present(await kit.adapter.getRecord(recordKey(record)), "getRecord")
        same(Number(found.version), Number.MAX_SAFE_INTEGER, "the version")
        same(found.expires, record.expires, "the end")
        const next = { ...record, version: 1 }
        const given = { expected: Number.MAX_SAFE_INTEGER, now: early() }
        same(await kit.adapter.putRecord(next, given), true, "putRecord with the version")
      }
    },
  ],
  "deleteExpired removes records that ended before the given time, and says how many": [
    [...reading, "deleteExpired"],
    async (kit) => {
      const cut = new Date("2010-01-01T00:00:00.000Z")
      const ended = draftRecord(kit, { expires: new Date(cut.getTime() - 1) })
      await kit.adapter.deleteExpired(cut)
      same(await putNew(kit, ended, new Date("2000-01-01T00:00:00.000Z")), true, "putRecord")
      const living = await newRecord(kit)
      // A store may drop ended records by itself.
      const showsEnded = await kit.adapter.getRecord(recordKey(ended))
      const removed = await kit.adapter.deleteExpired(cut)
      if (showsEnded) same(removed.records, 1, "removed records")
      absent(await kit.adapter.getRecord(recordKey(ended)), "the record that has ended")
      present(await kit.adapter.getRecord(recordKey(living)), "the living record")
    },
  ],
})

const counters: readonly ContractCase[] = group("records", {
  "a counter adds up, and ends when its first addition said": [
    ["countRecord"],
    async (kit) => {
      const key = draftRecord(kit)
      const expires = later()
      stands(await count(kit, key), { sum: 1, expires }, "the first addition")
      stands(await count(kit, key, { add: 5, expires: aroundEnd(9) }), { sum: 6, expires }, "the second addition")
      stands(await count(kit, key, { now: aroundEnd(-1) }), { sum: 7, expires }, "the last millisecond")
    },
  ],
  "a counter begins anew at the moment it ends, by the clock that is given": [
    ["countRecord"],
    async (kit) => {
      const key = draftRecord(kit)
      await count(kit, key, { add: 5 })
      const expires = aroundEnd(60_000)
      stands(await count(kit, key, { expires, now: aroundEnd(0) }), { sum: 1, expires }, "the addition at the end")
      stands(await count(kit, key, { now: aroundEnd(1) }), { sum: 2, expires }, "the next addition")
    },
  ],
  "an addition of 0 reads a counter and makes none": [
    ["countRecord"],
    async (kit) => {
      const key = draftRecord(kit)
      const expires = later()
      stands(await count(kit, key, { add: 0, expires: aroundEnd(9) }), { sum: 0, expires: aroundEnd(9) }, "no counter")
      stands(await count(kit, key), { sum: 1, expires }, "the first addition")
      stands(await count(kit, key, { add: 0, expires: aroundEnd(9) }), { sum: 1, expires }, "the counter")
      stands(await count(kit, key), { sum: 2, expires }, "the second addition")
    },
  ],
  "what was added is taken back from the counter that ends at the given time, and from no other": [
    ["countRecord"],
    async (kit) => {
      const key = draftRecord(kit)
      const expires = later()
      stands(await count(kit, key, { add: -1 }), { sum: 0, expires }, "taken back where there is no counter")
      await count(kit, key, { add: 3 })
      stands(await count(kit, key, { add: -1 }), { sum: 2, expires }, "taken back")
      stands(await count(kit, key, { add: -1, expires: aroundEnd(1) }), { sum: 2, expires }, "of another counter")
      stands(await count(kit, key, { add: 0 }), { sum: 2, expires }, "the counter")
    },
  ],
  "a counter that is taken begins anew": [
    ["countRecord", "takeRecord"],
    async (kit) => {
      const key = draftRecord(kit)
      await count(kit, key, { add: 5 })
      present(await kit.adapter.takeRecord(recordKey(key)), "takeRecord")
      absent(await kit.adapter.takeRecord(recordKey(key)), "takeRecord once more")
      stands(await count(kit, key, { expires: aroundEnd(9) }), { sum: 1, expires: aroundEnd(9) }, "the new counter")
    },
  ],
})

export const recordCases: readonly ContractCase[] = [...single, ...counters]
