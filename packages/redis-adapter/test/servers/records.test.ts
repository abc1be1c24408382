/** Records in Redis: the documented keys, which end by themselves, and lists that do not grow. */
import { DamagedRowError } from "@latchkey/redis-adapter"
import { describe, expect, it } from "vitest"
import { keysOf } from "./support/redis.js"
import { ask, expires, grace, open } from "./support/rows.js"

const now = new Date("2026-01-01T00:00:00Z")
const key = { kind: "sample", key: "one" }
const record = { ...key, userId: "ada", value: "sealed", version: 7, expires }
const attempts = { kind: "attempts", key: "a" }

describe("records", () => {
  it("have the keys that the guide names, and each ends by itself", async () => {
    const { adapter, prefix } = open()
    await adapter.putRecord(record, { expected: 0, now })
    await adapter.countRecord(attempts, { add: 1, expires, now })
    const names = await keysOf(prefix)
    expect(names.map((name) => name.replaceAll(prefix, "latchkey"))).toEqual([
      "{latchkey:records}:ends:sample",
      "{latchkey:records}:kind:sample",
      "{latchkey:records}:of:ada",
      "{latchkey:records}:record:attempts:a",
      "{latchkey:records}:record:sample:one",
    ])
    for (const name of names) {
      expect([name, Number(await ask("PEXPIRETIME", name))]).toEqual([name, expires.getTime() + grace])
    }
  })

  it("leave nothing behind when they are taken or removed", async () => {
    const { adapter, prefix } = open()
    await adapter.putRecord(record, { expected: 0, now })
    await adapter.putRecord({ ...record, key: "two" }, { expected: 0, now })
    await adapter.takeRecord(key)
    expect(await adapter.deleteRecords("ada", {})).toBe(1)
    expect((await keysOf(prefix)).filter((name) => !name.endsWith(":of:ada"))).toEqual([])
  })

  it("that have ended by the clock of the server are gone from the lists with the next one that is put", async () => {
    const { adapter, prefix } = open()
    const ended = new Date(Date.now() - grace + 300)
    await adapter.putRecord({ ...record, expires: ended }, { expected: 0, now })
    await expect.poll(() => adapter.getRecord(key), { timeout: 5000 }).toBeNull()
    await adapter.putRecord({ ...record, key: "two" }, { expected: 0, now })
    for (const name of ["of:ada", "kind:sample", "ends:sample"]) {
      expect([name, await ask("ZCARD", `{${prefix}:records}:${name}`)]).toEqual([name, 1])
    }
  })

  it("of a page are passed over where Redis has removed them, and the page is full all the same", async () => {
    const { adapter, prefix } = open()
    for (const name of ["a", "b", "c", "d"]) await adapter.putRecord({ ...record, key: name }, { expected: 0, now })
    await ask("DEL", `{${prefix}:records}:record:sample:a`, `{${prefix}:records}:record:sample:c`)
    const page = await adapter.scanRecords("sample", { limit: 2 })
    expect(page.map((found) => found.key)).toEqual(["b", "d"])
  })

  it("that are somebody else's by now are neither listed nor removed", async () => {
    const { adapter } = open()
    await adapter.putRecord(record, { expected: 0, now })
    await adapter.putRecord({ ...record, userId: "eve", version: 8 }, { expected: 7, now })
    expect(await adapter.listRecords("sample", "ada")).toEqual([])
    expect(await adapter.deleteRecords("ada", {})).toBe(0)
    expect(await adapter.getRecord(key)).toMatchObject({ userId: "eve" })
  })

  it("that the adapter did not write are an error, and never absent", async () => {
    const { adapter, prefix } = open()
    await ask("HSET", `{${prefix}:records}:record:sample:one`, "value", "sealed", "version", "soon")
    await expect(adapter.getRecord(key)).rejects.toThrow(DamagedRowError)
    await expect(adapter.takeRecord({ kind: "sample", key: "none" })).resolves.toBeNull()
  })
})
