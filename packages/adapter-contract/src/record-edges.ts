/** The contract of records at their limits: sizes, exact comparison, many at once. */
import { type ContractCase, group } from "./case.js"
import { absent, holds, present, same, settle, succeed } from "./check.js"
import {
  aroundEnd,
  count,
  draftRecord,
  early,
  freshKind,
  newRecord,
  putNew,
  reading,
  recordKey,
  stands,
} from "./record-samples.js"
import { confusablePairs, later, unusualTexts } from "./samples.js"

/** Keys that a loose comparison takes for each other. */
const confusableKeys: readonly (readonly [stored: string, asked: string])[] = [
  ["seven", "Seven"],
  ["seven", "seventy"],
  ["seventy", "seven"],
  ["seven", "se_en"],
  ["se_en", "seven"],
  ["se-en", "se_en"],
  ["7", "07"],
  ["1000", "1e3"],
  ["9007199254740993", "9007199254740992"],
]

const times = (length: number): readonly number[] => Array.from({ length }, (_, index) => index)
const winnersOf = (outcomes: readonly PromiseSettledResult<unknown>[]): number =>
  outcomes.filter((outcome) => outcome.status === "fulfilled" && outcome.value).length

const values: readonly ContractCase[] = group("records", {
  "a value of 16 KiB comes back exactly, and so does any text": [
    reading,
    async (kit) => {
      const long = "0123456789abcdef".repeat(1024)
      for (const value of ["", long, "\u00e9".repeat(8 * 1024), ...unusualTexts]) {
        const record = await newRecord(kit, { value })
        const found = present(await kit.adapter.getRecord(recordKey(record)), "getRecord")
        same(found.value, value, "the value")
      }
    },
  ],
  "ids of users come back exactly, and are compared exactly": [
    ["putRecord", "listRecords", "deleteRecords"],
    async (kit) => {
      for (const text of unusualTexts) {
        const userId = `${kit.fresh("u")}${text}`.slice(0, 255)
        await newRecord(kit, { userId })
        const [found] = await kit.adapter.listRecords("sample", userId)
        same(present(found, "a record of the user").userId, userId, "the id of the user")
      }
      for (const [stored, asked] of confusablePairs) {
        const label = kit.fresh("pair")
        await newRecord(kit, { userId: label + stored })
        const what = `${JSON.stringify(asked)} was asked for, ${JSON.stringify(stored)} is stored`
        same((await kit.adapter.listRecords("sample", label + asked)).length, 0, what)
        same(Number(await kit.adapter.deleteRecords(label + asked, {})), 0, what)
      }
    },
  ],
  "kinds and keys are compared exactly": [
    [...reading, "takeRecord"],
    async (kit) => {
      for (const [stored, asked] of confusableKeys) {
        const label = kit.fresh("p")
        const record = await newRecord(kit, { key: label + stored })
        const what = `${asked} was asked for, ${stored} is stored`
        absent(await kit.adapter.getRecord({ kind: record.kind, key: label + asked }), what)
        absent(await kit.adapter.takeRecord({ kind: record.kind, key: label + asked }), what)
        absent(await kit.adapter.getRecord({ kind: "sample-", key: record.key }), "another kind")
        present(await kit.adapter.getRecord(recordKey(record)), "the record as it was stored")
      }
    },
  ],
  "a kind of 32 characters and a key of 64 are kept apart from those that differ in the last one": [
    reading,
    async (kit) => {
      const kind = freshKind(kit).padEnd(32, "x")
      const key = kit.fresh("key").padEnd(64, "x")
      await newRecord(kit, { kind, key })
      absent(await kit.adapter.getRecord({ kind, key: `${key.slice(0, 63)}y` }), "another key")
      absent(await kit.adapter.getRecord({ kind: `${kind.slice(0, 31)}y`, key }), "another kind")
      present(await kit.adapter.getRecord({ kind, key }), "the record")
    },
  ],
})

const races: readonly ContractCase[] = group("records", {
  "of 50 who put one record at once, one does": [
    reading,
    async (kit) => {
      const drafts = times(50).map((index) => ({ ...draftRecord(kit), value: `value ${index}` }))
      const { key } = draftRecord(kit)
      const outcomes = await settle(drafts.map((draft) => () => putNew(kit, { ...draft, key })))
      same(winnersOf(outcomes), 1, "how many put the record")
      const winner = drafts[outcomes.findIndex((outcome) => outcome.status === "fulfilled" && outcome.value)]
      same(present(await kit.adapter.getRecord({ kind: "sample", key }), "getRecord").value, winner?.value, "the value")
    },
  ],
  "of 50 who replace one version of a record at once, one does": [
    reading,
    async (kit) => {
      const record = await newRecord(kit)
      const outcomes = await settle(
        times(50).map(
          (index) => () =>
            kit.adapter.putRecord({ ...record, version: 100 + index }, { expected: record.version, now: early() }),
        ),
      )
      same(winnersOf(outcomes), 1, "how many replaced the record")
      const version = 100 + outcomes.findIndex((outcome) => outcome.status === "fulfilled" && outcome.value)
      holds(present(await kit.adapter.getRecord(recordKey(record)), "getRecord"), { version }, "the record")
    },
  ],
  "of 50 who replace a record that has ended at once, one does": [
    ["putRecord"],
    async (kit) => {
      const record = await newRecord(kit)
      const next = { ...record, expires: aroundEnd(60_000) }
      const outcomes = await settle(
        times(50).map((index) => () => putNew(kit, { ...next, version: 100 + index }, aroundEnd(1))),
      )
      same(winnersOf(outcomes), 1, "how many replaced the record")
    },
  ],
  "of 50 who take one record at once, one gets it": [
    ["putRecord", "takeRecord"],
    async (kit) => {
      const record = await newRecord(kit)
      const outcomes = await settle(times(50).map(() => () => kit.adapter.takeRecord(recordKey(record))))
      same(winnersOf(outcomes), 1, "how many took the record")
    },
  ],
  "a list that is read while one record replaces another shows one of them": [
    ["putRecord", "takeRecord", "listRecords"],
    async (kit) => {
      const userId = kit.fresh("user")
      let [record, isOver] = [await newRecord(kit, { userId }), false]
      const replace = async (): Promise<void> => {
        for (const _ of times(50)) {
          const next = await newRecord(kit, { userId })
          await kit.adapter.takeRecord(recordKey(record))
          record = next
        }
      }
      const watch = async (): Promise<void> => {
        while (!isOver) present((await kit.adapter.listRecords("sample", userId))[0], "a listed record")
      }
      const replaced = replace().finally(() => {
        isOver = true
      })
      await succeed([() => replaced, ...times(8).map(() => watch)], "listRecords")
    },
  ],
  "1,000 additions at once add up, and no two of them see the same sum": [
    ["countRecord"],
    async (kit) => {
      const key = draftRecord(kit)
      const counted = await succeed(
        times(1000).map(() => () => count(kit, key)),
        "countRecord",
      )
      same(new Set(counted.map(({ sum }) => Number(sum))).size, 1000, "how many sums there were")
      stands(await count(kit, key, { add: 0 }), { sum: 1000, expires: later() }, "the counter")
    },
  ],
  "additions at the moment a counter ends begin one new counter": [
    ["countRecord"],
    async (kit) => {
      const key = draftRecord(kit)
      await count(kit, key, { add: 5 })
      const expires = aroundEnd(60_000)
      await succeed(
        times(50).map(() => () => count(kit, key, { expires, now: aroundEnd(0) })),
        "countRecord",
      )
      stands(await count(kit, key, { add: 0, now: aroundEnd(1) }), { sum: 50, expires }, "the new counter")
    },
  ],
})

export const recordEdgeCases: readonly ContractCase[] = [...values, ...races]
