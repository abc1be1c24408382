/** Records that are replaced between the two steps of listing or removing them. */
import { describe, expect, it } from "vitest"
import { createKeys } from "../keys.js"
import type { Command } from "../line.js"
import { dropRecords, readRecords } from "../record-scripts.js"
import { recordOperations } from "./records.js"

const keys = createKeys()

/** What Redis has of Ada, and what happens before each command by its number. */
function stage(before: (count: number) => void = () => {}) {
  const owners = new Map<string, string>()
  const list = new Set<string>()
  const commands: string[] = []
  const put = (key: string, kind = "sample", owner = "ada"): void => {
    owners.set(keys.record({ kind, key }), owner)
    list.add(`${kind}:${key}`)
  }
  /** Leaves the list of the user as it is. */
  const take = (key: string): boolean => owners.delete(keys.record({ kind: "sample", key }))
  const drop = ([count, , ...rest]: readonly string[]): number => {
    const [named, [user, ...members]] = [rest.slice(0, Number(count) - 1), rest.slice(Number(count) - 1)]
    let removed = 0
    for (let at = 0; 2 * at < members.length; at += 1) {
      const key = named[3 * at] ?? ""
      if (owners.get(key) === user && owners.delete(key)) removed += 1
      list.delete(members[2 * at] ?? "")
    }
    return removed
  }
  const send = async ({ args: [name = "", key = "", ...rest] }: Command): Promise<unknown> => {
    await new Promise(setImmediate)
    before(commands.push(name))
    if (name === "ZRANGE") return [...list]
    expect(name).toBe("EVALSHA")
    const fields = (owner?: string) => (owner ? [owner, "sealed", "1", "4070908800000"] : [null, null, null, null])
    if (key === readRecords.sha) return [[...list], rest.slice(2).map((record) => fields(owners.get(record)))]
    expect(key).toBe(dropRecords.sha)
    return drop(rest)
  }
  const connection = { send, isSpread: async () => false, close: async () => {} }
  const records = recordOperations({ connection, keys, onError: () => {} })
  const listed = async (): Promise<string[]> => (await records.listRecords("sample", "ada")).map(({ key }) => key)
  const left = (): string[] => [...owners.keys()].map((key) => key.slice(key.lastIndexOf(":") + 1))
  return { records, commands, put, take, listed, left }
}

/** Each of the numbered commands comes after one more replacement: "r1" by "r2", "r2" by "r3". */
function replacing(isBefore: (count: number) => boolean) {
  let last = 1
  const it = stage((count) => {
    if (!isBefore(count)) return
    it.put(`r${last + 1}`)
    it.take(`r${last}`)
    last += 1
  })
  it.put("r1")
  return it
}

describe("a record that is replaced after its list was read", { tags: ["threat:SF-08"] }, () => {
  it.each([[[2]], [[2, 3]], [[2, 3, 4]]])("is listed by its successor, before commands %j", async (at) => {
    const it = replacing((count) => at.includes(count))
    expect(await it.listed()).toEqual([`r${at.length + 1}`])
  })

  it("is listed once where it is put back, and its successor taken", async () => {
    const it = stage((count) => {
      if (count === 2) it.put("r2")
      if (count === 2) it.take("r1")
      if (count === 3) it.put("r1")
      if (count === 3) it.take("r2")
    })
    it.put("r1")
    expect(await it.listed()).toEqual(["r1"])
  })

  it("is looked for among what has gone since, however many others begin meanwhile", async () => {
    const it = stage((count) => it.put(`new${count}`))
    it.put("old")
    it.take("old")
    it.put("kept")
    expect(await it.listed()).toEqual(["kept", "new1", "new2"])
  })

  it.each([[[2]], [[2, 4]], [[2, 4, 6]]])("is removed with its successors, before commands %j", async (at) => {
    const it = replacing((count) => at.includes(count))
    expect(await it.records.deleteRecords("ada", { kind: "sample" })).toBe(1)
    expect(it.left()).toEqual([])
  })

  it("leaves alone what is excepted, of another kind, or of somebody else by now", async () => {
    const it = replacing((count) => count === 2)
    it.put("mine")
    it.put("other", "another")
    it.put("moved", "sample", "eve")
    expect(await it.records.deleteRecords("ada", { kind: "sample", except: "mine" })).toBe(1)
    expect(it.left()).toEqual(["mine", "other", "moved"])
  })

  it("is not waited for where lists name what is gone", async () => {
    const it = stage()
    for (const key of ["a", "b"]) it.put(key)
    it.take("a")
    expect(await it.listed()).toEqual(["b"])
    expect(it.commands).toEqual(["ZRANGE", "EVALSHA"])
    expect(await it.records.deleteRecords("ada", {})).toBe(1)
    it.put("c")
    const { length } = it.commands
    expect([await it.listed(), await it.records.deleteRecords("ada", {})]).toEqual([["c"], 1])
    expect(it.commands.slice(length)).toEqual(["ZRANGE", "EVALSHA", "ZRANGE", "EVALSHA"])
  })

  it("is an error where it never stops, and no answer that lacks one", async () => {
    const listing = replacing(() => listing.commands.at(-1) === "EVALSHA")
    await expect(listing.listed()).rejects.toMatchObject({ name: "RedisError", fault: "busy" })
    expect(listing.commands).toHaveLength(21)
    const removing = replacing(() => removing.commands.at(-1) === "EVALSHA")
    await expect(removing.records.deleteRecords("ada", {})).rejects.toMatchObject({ fault: "busy" })
    expect(removing.commands).toHaveLength(40)
  })
})
