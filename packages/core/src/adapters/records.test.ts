import { contractCases, runCase } from "@latchkey/adapter-contract"
import { describe, expect, it } from "vitest"
import type { Adapter } from "../types/adapter.js"
import type { RecordStore } from "../types/records.js"
import { recordVerbs } from "../types/records.js"
import { combine } from "./combine.js"
import { memoryAdapter } from "./memory.js"
import { memoryRecords } from "./records.js"

const now = new Date("2029-01-01T00:00:00.000Z")
const expires = new Date("2030-01-01T00:00:00.000Z")
const record = { kind: "sample", key: "one", userId: "ada", value: "sealed", version: 7, expires }
const key = { kind: "sample", key: "one" }
const recordCases = contractCases.filter(({ group }) => group === "records").map((it) => [it.name, it] as const)
const withoutTransactions = recordCases.filter(([, { needs }]) => !needs.includes("transaction"))

/** The memory adapter without what it knows of records. */
function people(): Adapter {
  const known = Object.entries(memoryAdapter()).filter(([name]) => !(recordVerbs as readonly string[]).includes(name))
  return Object.fromEntries(known)
}

describe("memoryRecords", () => {
  it.each(withoutTransactions)("keeps: %s", (_, contractCase) => runCase(contractCase, memoryRecords()))

  it("does not grow by what has ended", () => {
    const store = memoryRecords()
    for (let index = 0; index < 5000; index += 1) {
      const at = new Date(now.getTime() + index)
      const draft = { ...record, key: `k${index}`, expires: new Date(at.getTime() + 10) }
      store.putRecord(draft, { expected: 0, now: at })
    }
    const left = store.deleteExpired(new Date(now.getTime() + 100_000)) as { records: number }
    expect(left.records).toBeLessThan(1100)
  })

  it("hands out copies", () => {
    const store = memoryRecords()
    store.putRecord(record, { expected: 0, now })
    const { expires: end } = store.getRecord(key) as typeof record
    end.setTime(0)
    expect(store.getRecord(key)).toEqual(record)
  })
})

describe("combine with records", () => {
  const combined = (store: RecordStore = memoryRecords()): Required<Adapter> =>
    combine(people(), { records: store }) as Required<Adapter>

  it.each(recordCases)("keeps: %s", (_, contractCase) => runCase(contractCase, combined()))

  it("keeps records in the other store, and leaves people where they are", async () => {
    const store = memoryRecords()
    const adapter = combined(store)
    await adapter.createUser({ id: "ada", email: "ada@app.test", emailVerified: null })
    await adapter.putRecord(record, { expected: 0, now })
    expect(await store.getRecord(key)).toEqual(record)
    expect(await adapter.getUser("ada")).toMatchObject({ id: "ada" })
  })

  it("passes the verbs of an adapter on where records are not kept elsewhere", async () => {
    const adapter = combine(memoryAdapter(), {}) as Required<Adapter>
    await adapter.putRecord(record, { expected: 0, now })
    expect(await adapter.getRecord(key)).toEqual(record)
  })

  it("says which verbs a store lacks", () => {
    const { takeRecord: _, scanRecords: __, ...some } = memoryRecords()
    expect(() => combine(people(), { records: some as unknown as RecordStore })).toThrow(
      "records lacks takeRecord, scanRecords",
    )
  })

  it("counts the records that deleteExpired removes, on both sides", async () => {
    const store = memoryRecords()
    const inner = memoryAdapter()
    await inner.putRecord(record, { expected: 0, now })
    await store.putRecord(record, { expected: 0, now })
    const adapter = combine(inner, { records: store }) as Required<Adapter>
    const removed = await adapter.deleteExpired(new Date(expires.getTime() + 1))
    expect(removed).toEqual({ sessions: 0, verificationTokens: 0, records: 2 })
  })

  it("says nothing of records where no store keeps any", async () => {
    const { deleteExpired: _, ...rest } = people()
    const adapter = combine({ ...rest, deleteExpired: () => ({ sessions: 1, verificationTokens: 0 }) }, {})
    expect(await adapter.deleteExpired?.(now)).toEqual({ sessions: 1, verificationTokens: 0 })
  })

  it("does not take back what somebody else has changed since", async () => {
    const store = memoryRecords()
    const adapter = combined(store)
    const work = adapter.transaction(async (open) => {
      await open.putRecord?.(record, { expected: 0, now })
      await store.putRecord({ ...record, value: "theirs", version: 8 }, { expected: 7, now })
      throw new Error("rolled back")
    })
    await expect(work).rejects.toThrow("rolled back")
    expect(await store.getRecord(key)).toMatchObject({ value: "theirs" })
  })

  it("takes back a write whose answer was lost", async () => {
    const store = memoryRecords()
    const lost: RecordStore = {
      ...store,
      async putRecord(row, given) {
        await store.putRecord(row, given)
        if (given.expected === 0) throw new Error("connection lost")
        return true
      },
    }
    const work = combined(lost).transaction(async (open) => open.putRecord?.(record, { expected: 0, now }))
    await expect(work).rejects.toThrow("connection lost")
    expect(await store.putRecord({ ...record, version: 9 }, { expected: 0, now })).toBe(true)
  })

  it("goes on counting attempts that were made in a transaction that is rolled back", async () => {
    const adapter = combined()
    const addition = { add: 1, expires, now }
    const work = adapter.transaction(async (open) => {
      await open.countRecord?.(key, addition)
      throw new Error("rolled back")
    })
    await expect(work).rejects.toThrow("rolled back")
    expect((await adapter.countRecord(key, addition)).sum).toBe(2)
  })
})
