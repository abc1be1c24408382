/** The contract of lists of records, by user and by kind. */
import { type ContractCase, group } from "./case.js"
import { absent, holds, present, same, sameJson } from "./check.js"
import { early, freshKind, keysOf, newRecord, reading, recordKey } from "./record-samples.js"

export const recordListCases: readonly ContractCase[] = group("records", {
  "listRecords lists what a user has of a kind, and nothing else": [
    [...reading.slice(0, 1), "listRecords"],
    async (kit) => {
      const [userId, other] = [kit.fresh("user"), kit.fresh("user")]
      const [one, two] = [await newRecord(kit, { userId }), await newRecord(kit, { userId })]
      await newRecord(kit, { userId, kind: "another" })
      await newRecord(kit, { userId: other })
      await newRecord(kit)
      const listed = await kit.adapter.listRecords("sample", userId)
      sameJson(keysOf(listed), keysOf([one, two]), "the keys")
      for (const record of [one, two]) {
        const found = listed.find(({ key }) => key === record.key)
        holds(present(found, "a listed record"), record, "a listed record")
      }
      same((await kit.adapter.listRecords("sample", kit.fresh("user"))).length, 0, "the records of somebody else")
    },
  ],
  "a record that changes hands is listed where it went": [
    ["putRecord", "listRecords"],
    async (kit) => {
      const [userId, other] = [kit.fresh("user"), kit.fresh("user")]
      const record = await newRecord(kit, { userId })
      await kit.adapter.putRecord({ ...record, userId: other, version: 8 }, { expected: 7, now: early() })
      same((await kit.adapter.listRecords("sample", userId)).length, 0, "the records of the first user")
      same((await kit.adapter.listRecords("sample", other)).length, 1, "the records of the second user")
    },
  ],
  "deleteRecords removes what a user has of a kind, one key excepted, and says how many": [
    [...reading, "deleteRecords"],
    async (kit) => {
      const userId = kit.fresh("user")
      const [kept, gone, gone2] = [
        await newRecord(kit, { userId }),
        await newRecord(kit, { userId }),
        await newRecord(kit, { userId }),
      ]
      const [otherKind, otherUser] = [
        await newRecord(kit, { userId, kind: "another" }),
        await newRecord(kit, { userId: kit.fresh("user") }),
      ]
      const removed = await kit.adapter.deleteRecords(userId, { kind: "sample", except: kept.key })
      same(Number(removed), 2, "how many were removed")
      for (const { key, kind } of [gone, gone2]) absent(await kit.adapter.getRecord({ kind, key }), "a removed record")
      for (const { key, kind } of [kept, otherKind, otherUser])
        present(await kit.adapter.getRecord({ kind, key }), "a record that stays")
    },
  ],
  "deleteRecords without a kind removes all a user has, and what is nobody's stays": [
    [...reading, "listRecords", "deleteRecords"],
    async (kit) => {
      const userId = kit.fresh("user")
      await newRecord(kit, { userId })
      const kept = await newRecord(kit, { userId, kind: "another" })
      const unowned = await newRecord(kit)
      same(Number(await kit.adapter.deleteRecords(userId, { except: kept.key })), 1, "removed with one excepted")
      same(Number(await kit.adapter.deleteRecords(userId, {})), 1, "removed without")
      same(Number(await kit.adapter.deleteRecords(userId, {})), 0, "removed once more")
      same((await kit.adapter.listRecords("another", userId)).length, 0, "what the user has")
      present(await kit.adapter.getRecord(recordKey(unowned)), "what is nobody's")
    },
  ],
  "scanRecords pages through a kind in the order of its keys": [
    ["putRecord", "scanRecords"],
    async (kit) => {
      const kind = freshKind(kit)
      // By character code: "-" before digits, upper case before "_" before lower case.
      const keys = ["-a", "0", "10", "2", "Z", "Zz", "_", "a", "aB", "ab", "z"]
      for (const key of keys.toReversed()) await newRecord(kit, { kind, key, userId: key === "a" ? key : null })
      await newRecord(kit, { kind: freshKind(kit) })
      sameJson(keysOf(await kit.adapter.scanRecords(kind, { limit: 99 })), keys, "all keys")
      const found: string[] = []
      for (let after: string | undefined; ; after = found.at(-1)) {
        const page = await kit.adapter.scanRecords(kind, { limit: 4, ...(after !== undefined && { after }) })
        found.push(...page.map(({ key }) => key))
        same(page.length, Math.min(4, keys.length - (found.length - page.length)), "the length of a page")
        if (page.length < 4) break
      }
      sameJson(found, keys, "the keys of the pages")
    },
  ],
})
