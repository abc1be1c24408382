import { describe, expect, it, vi } from "vitest"
import { memoryRecords } from "../adapters/records.js"
import { AdapterError, MissingAdapter } from "../errors.js"
import type { RecordStore, StoredRecord } from "../types/records.js"
import { createRecords, type Records, recordStoreOf } from "./records.js"

const expires = new Date("2030-01-01T00:00:00.000Z")
const before = new Date(expires.getTime() - 1)
const key = { kind: "sample", key: "one" }
const record: StoredRecord = { ...key, userId: "ada", value: "sealed", version: 7, expires }
const around = (verbs: object) => createRecords({ ...memoryRecords(), ...verbs } as RecordStore)
const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error("nothing was thrown")),
    (error: Error) => error,
  )
const calls: readonly (readonly [keyof RecordStore, (records: Records) => Promise<unknown>])[] = [
  ["getRecord", (it) => it.getRecord(key, before)],
  ["putRecord", (it) => it.putRecord(record, { expected: 0, now: before })],
  ["takeRecord", (it) => it.takeRecord(key, before)],
  ["countRecord", (it) => it.countRecord(key, { add: 1, expires, now: before })],
  ["listRecords", (it) => it.listRecords({ kind: "sample", userId: "ada" }, before)],
  ["deleteRecords", (it) => it.deleteRecords("ada")],
  ["scanRecords", (it) => it.scanRecords("sample", { limit: 10 })],
]

describe("where records are kept", () => {
  const [records, adapter] = [memoryRecords(), memoryRecords()]

  it("is the store that was named, else an adapter that has all verbs", () => {
    expect(recordStoreOf({ records, adapter })).toBe(records)
    expect(recordStoreOf({ records: undefined, adapter })).toBe(adapter)
  })

  it("is nowhere when the adapter has some of the verbs", () => {
    const { scanRecords: _, ...some } = adapter
    expect(recordStoreOf({ records: undefined, adapter: some })).toBeUndefined()
    expect(recordStoreOf({ records: undefined, adapter: undefined })).toBeUndefined()
  })

  it("may be an object of a class, whose verbs are called on it", async () => {
    class Store {
      #records = memoryRecords()
      getRecord = (given: typeof key) => this.#records.getRecord(given)
      putRecord(...given: Parameters<RecordStore["putRecord"]>) {
        return this.#records.putRecord(...given)
      }
      takeRecord() {}
      countRecord() {}
      listRecords() {}
      deleteRecords() {}
      scanRecords() {}
    }
    const store = createRecords(recordStoreOf({ records: new Store(), adapter: undefined }))
    expect(await store.putRecord(record, { expected: 0, now: before })).toBe(true)
    expect(await store.getRecord(key, before)).toEqual(record)
  })
})

describe("a store of records that cannot answer", () => {
  it.each(calls)("%s names what is missing where there is no store", async (verb, call) => {
    const store = createRecords(undefined)
    expect(store.isPresent).toBe(false)
    const error = await failureOf(call(store))
    expect(error).toBeInstanceOf(MissingAdapter)
    expect(error.message).toContain(`"${verb}"`)
  })

  it.each(calls)(
    "%s fails when the store throws, at once or later, and never says that there is nothing",
    async (verb, call) => {
      const err = new Error("down")
      const throwing = () => {
        throw err
      }
      for (const verbOfStore of [throwing, () => Promise.reject(err)]) {
        const error = await failureOf(call(around({ [verb]: verbOfStore })))
        expect(error).toBeInstanceOf(AdapterError)
        expect(error.cause).toMatchObject({ err, operation: verb })
      }
    },
  )

  it.each([
    ["getRecord", { ...record, expires: "soon" }],
    ["getRecord", { ...record, value: undefined }],
    ["getRecord", { ...record, version: 1.5 }],
    ["takeRecord", { ...record, version: "seven" }],
    ["putRecord", undefined],
    ["putRecord", 1],
    ["countRecord", undefined],
    ["countRecord", { sum: Number.NaN, expires }],
    ["listRecords", null],
    ["deleteRecords", undefined],
    ["scanRecords", {}],
  ])("%s fails when the answer makes no sense: %j", async (verb, answer) => {
    const call = calls.find(([name]) => name === verb)?.[1]
    await expect(call?.(around({ [verb]: () => answer }))).rejects.toBeInstanceOf(AdapterError)
  })
})

describe("answers of a store of records", () => {
  it("are absent from the moment the record ends, by the clock of the request", async () => {
    const store = createRecords(memoryRecords())
    await store.putRecord(record, { expected: 0, now: before })
    expect(await store.getRecord(key, before)).toEqual(record)
    expect(await store.listRecords({ kind: "sample", userId: "ada" }, before)).toEqual([record])
    expect(await store.getRecord(key, expires)).toBeNull()
    expect(await store.listRecords({ kind: "sample", userId: "ada" }, expires)).toEqual([])
    expect(await store.scanRecords("sample", { limit: 10 })).toEqual([record])
    expect(await store.takeRecord(key, expires)).toBeNull()
  })

  it("may hold dates as ISO 8601 text, large numbers as text or bigint, and undefined for nothing", async () => {
    const row = { ...record, userId: undefined, version: "9007199254740991", expires: expires.toISOString() }
    const counted = { sum: 12n, expires: expires.toISOString() }
    const store = around({ getRecord: () => row, takeRecord: () => undefined, countRecord: () => counted })
    expect(await store.getRecord(key, before)).toEqual({ ...record, userId: null, version: Number.MAX_SAFE_INTEGER })
    expect(await store.takeRecord(key, before)).toBeNull()
    expect(await store.countRecord(key, { add: 1, expires, now: before })).toEqual({ sum: 12, expires })
  })
})

describe("what is given to a store of records", () => {
  it.each([
    { ...record, kind: "Upper" },
    { ...record, kind: "" },
    { ...record, kind: "x".repeat(33) },
    { ...record, key: "ada@app.test" },
    { ...record, key: "" },
    { ...record, key: "x".repeat(65) },
    { ...record, value: "é".repeat(8 * 1024 + 1) },
  ])("is refused before it is stored when it is out of bounds: $kind $key.length", async (given) => {
    const putRecord = vi.fn(() => true)
    await expect(around({ putRecord }).putRecord(given, { expected: 0, now: before })).rejects.toThrow("expected")
    expect(putRecord).not.toHaveBeenCalled()
  })

  it("is a copy, so that a store may write to it", async () => {
    const putRecord = vi.fn((row: { value: string }) => {
      row.value = "changed"
      return true
    })
    await around({ putRecord }).putRecord(Object.freeze({ ...record }), { expected: 0, now: before })
    expect(putRecord).toHaveBeenCalledOnce()
    expect(record.value).toBe("sealed")
  })
})
