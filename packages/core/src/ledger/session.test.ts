import { describe, expect, it, vi } from "vitest"
import { memoryRecords } from "../adapters/records.js"
import { createKeyCache, createKeyring } from "../crypto/keyring.js"
import { createRecords } from "../ports/records.js"
import { currentKeyOf, readEpoch, writeEpoch } from "./epoch.js"
import { openRecord, sealRecord } from "./seal.js"
import {
  deleteSessions,
  findSession,
  keyOfToken,
  listSessions,
  readSession,
  type SessionContent,
  takeSession,
  takeUnopened,
  writeSession,
} from "./session.js"

const now = new Date("2026-03-01T12:00:00.000Z")
const expires = new Date("2026-03-02T12:00:00.000Z")
const [first, second] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"]
const facts = { id: "session", startedAt: 7, proofs: [] }
const content: SessionContent = { facts, client: {}, seenAt: 7, generation: 0 }
const draft = { key: "one", userId: "ada", content, expires }

function open(...secrets: string[]) {
  const store = memoryRecords()
  const ledgerOf = (...of: string[]) => ({
    records: createRecords(store),
    keyring: createKeyring(of, createKeyCache(64)),
    now,
  })
  return { store, ledgerOf, ledger: ledgerOf(...(secrets.length === 0 ? [first] : secrets)) }
}

describe("the record of a session", () => {
  it("is read as it was written, and gone once it was taken", async () => {
    const { ledger } = open()
    expect(await readSession(ledger, "one")).toBeNull()
    expect(await writeSession(ledger, draft)).toBe(true)
    expect(await readSession(ledger, "one")).toEqual({ ...draft, version: expect.any(Number) })
    expect(await takeSession(ledger, "one")).toBe(true)
    expect(await takeSession(ledger, "one")).toBe(false)
    expect(await readSession(ledger, "one")).toBeNull()
  })

  it("is replaced only by who has read its version, and new only where there is none", async () => {
    const { ledger } = open()
    await writeSession(ledger, draft)
    expect(await writeSession(ledger, draft)).toBe(false)
    const read = await readSession(ledger, "one")
    if (!read) throw new Error("it was written")
    const changed = { ...read, content: { ...content, seenAt: 8 } }
    expect(await writeSession(ledger, { ...changed, version: read.version + 5 })).toBe(false)
    expect(await writeSession(ledger, changed)).toBe(true)
    expect(await readSession(ledger, "one")).toMatchObject({ content: { seenAt: 8 }, version: read.version + 1 })
    expect(await writeSession(ledger, changed)).toBe(false)
  })

  it("is one of a user's, and hidden by none that no secret opens", async () => {
    const { ledger, ledgerOf } = open()
    await writeSession(ledger, draft)
    await writeSession(ledgerOf(second), { ...draft, key: "two" })
    await writeSession(ledger, { ...draft, key: "three", userId: "grace" })
    expect((await listSessions(ledger, "ada")).map(({ key }) => key)).toEqual(["one"])
    await expect(readSession(ledger, "two")).rejects.toMatchObject({ type: "AdapterError" })
    expect(await takeUnopened(ledger, "ada")).toBe(true)
    expect(await takeUnopened(ledger, "ada")).toBe(false)
    expect(await readSession(ledger, "two")).toBeNull()
    expect(await readSession(ledger, "one")).not.toBeNull()
  })

  it("goes with all others of its user", async () => {
    const { ledger } = open()
    for (const key of ["one", "two", "three"]) await writeSession(ledger, { ...draft, key })
    await writeSession(ledger, { ...draft, key: "grace", userId: "grace" })
    await writeEpoch(ledger, { userId: "ada", at: 5, expires })
    expect(await deleteSessions(ledger, "ada")).toBe(3)
    expect(await listSessions(ledger, "ada")).toEqual([])
    expect(await listSessions(ledger, "grace")).toHaveLength(1)
    expect(await readEpoch(ledger, "ada")).toEqual({ at: 5, milliseconds: 5_000 })
  })

  it("is found by its token, whichever secret made its key", async () => {
    const { ledger, ledgerOf } = open()
    const key = await keyOfToken(ledger, "token")
    expect(key).not.toContain("token")
    await writeSession(ledger, { ...draft, key })
    expect(await findSession(ledger, "token")).toMatchObject({ key })
    expect(await findSession(ledgerOf(second, first), "token")).toMatchObject({ key })
    expect(await findSession(ledger, "other")).toBeNull()
    expect(await keyOfToken(ledgerOf(second, first), "token")).not.toBe(key)
  })
})

describe("the end of all sessions without a record", () => {
  it("is kept for each user, and found with an earlier secret", async () => {
    const { ledger, ledgerOf } = open()
    expect(await readEpoch(ledger, "ada")).toBeUndefined()
    await writeEpoch(ledger, { userId: "ada", at: 5, expires })
    await writeEpoch(ledger, { userId: "ada", at: 9, expires })
    expect(await readEpoch(ledger, "ada")).toEqual({ at: 9, milliseconds: 9_000 })
    expect(await readEpoch(ledgerOf(second, first), "ada")).toEqual({ at: 9, milliseconds: 9_000 })
    await writeEpoch(ledger, { userId: "ada", at: 12, except: { id: "its id", startedAt: 10 }, expires })
    expect(await readEpoch(ledger, "ada")).toEqual({ at: 12, milliseconds: 12_000, except: "its id" })
    expect(await readEpoch(ledger, "grace")).toBeUndefined()
  })

  it("never goes back, and excepts none that had ended with it", async () => {
    const { ledger } = open()
    const end = async (at: number, id: string, startedAt: number) => {
      await writeEpoch(ledger, { userId: "ada", at, except: { id, startedAt }, expires })
      return readEpoch(ledger, "ada")
    }
    expect(await end(9, "a", 5)).toEqual({ at: 9, milliseconds: 9_000, except: "a" })
    expect(await end(7, "a", 5)).toEqual({ at: 9, milliseconds: 9_000, except: "a" })
    expect(await end(7, "b", 9)).toEqual({ at: 9, milliseconds: 9_000 })
    expect(await end(11, "a", 5)).toEqual({ at: 11, milliseconds: 11_000 })
    expect(await end(13, "c", 12)).toEqual({ at: 13, milliseconds: 13_000, except: "c" })
    const earlier = new Date("2026-03-02T06:00:00.000Z")
    await writeEpoch(ledger, { userId: "ada", at: 14, expires: earlier })
    const rows = await ledger.records.scanRecords("epoch", { limit: 10 })
    expect(rows.map((row) => row.expires)).toEqual([expires])
    const later = new Date("2026-03-03T12:00:00.000Z")
    await writeEpoch(ledger, { userId: "ada", at: 15, expires: later })
    const [row] = await ledger.records.scanRecords("epoch", { limit: 10 })
    expect(row?.expires).toEqual(later)
  })

  it("never goes back where a newer secret has been put in front", async () => {
    const { ledger, ledgerOf } = open()
    await writeEpoch(ledger, { userId: "ada", at: 9, expires })
    const newer = ledgerOf(second, first)
    await writeEpoch(newer, { userId: "ada", at: 7, except: { id: "b", startedAt: 8 }, expires })
    expect(await readEpoch(newer, "ada")).toEqual({ at: 9, milliseconds: 9_000 })
  })

  it("is the latest for instances that have two secrets in opposite order, whichever of them wrote it", async () => {
    const { ledgerOf } = open()
    const [one, other] = [ledgerOf(first, second), ledgerOf(second, first)]
    const read = () => Promise.all([one, other].map((ledger) => readEpoch(ledger, "ada")))
    await writeEpoch(one, { userId: "ada", at: 5, expires })
    await writeEpoch(other, { userId: "ada", at: 9, expires })
    expect(await read()).toEqual([
      { at: 9, milliseconds: 9_000 },
      { at: 9, milliseconds: 9_000 },
    ])
    await writeEpoch(one, { userId: "ada", at: 12, expires })
    expect(await read()).toEqual([
      { at: 12, milliseconds: 12_000 },
      { at: 12, milliseconds: 12_000 },
    ])
  })

  it("is written over where no secret opens it", async () => {
    const { ledger, store } = open()
    await writeEpoch(ledger, { userId: "ada", at: 9, expires })
    const [row] = await store.scanRecords("epoch", { limit: 10 })
    if (!row) throw new Error("it was written")
    await store.putRecord({ ...row, value: "torn", version: row.version + 1 }, { expected: row.version, now })
    await writeEpoch(ledger, { userId: "ada", at: 7, expires })
    expect(await readEpoch(ledger, "ada")).toEqual({ at: 7, milliseconds: 7_000 })
  })

  it("is nobody's, and does not say whose sessions it ends", async () => {
    const { ledger, store } = open()
    await writeEpoch(ledger, { userId: "ada", at: 9, expires })
    expect(await store.deleteRecords("ada", {})).toBe(0)
    const [row] = await store.scanRecords("epoch", { limit: 10 })
    if (!row) throw new Error("it was written")
    expect(row).toMatchObject({ userId: null })
    expect(await openRecord(row, ledger)).toEqual({
      at: 9,
      milliseconds: 9_000,
      name: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  it("of an earlier version, which is the user's, is read, and is nobody's once it is written again", async () => {
    const { ledger, store } = open()
    const key = await keyOfToken(ledger, "epoch ada")
    const earlier = { kind: "epoch", key, userId: "ada", content: { at: 9 }, expires }
    await store.putRecord(await sealRecord(earlier, ledger), { expected: 0, now })
    expect(await readEpoch(ledger, "ada")).toEqual({ at: 9 })
    await writeEpoch(ledger, { userId: "ada", at: 7, expires })
    expect(await store.listRecords("epoch", "ada")).toEqual([])
    expect(await readEpoch(ledger, "ada")).toEqual({ at: 9, milliseconds: 7_000 })
  })

  it("is tried twenty times where others write it meanwhile, and then a fault", async () => {
    const { ledger, store } = open()
    const put = vi.spyOn(store, "putRecord").mockResolvedValue(false)
    await expect(writeEpoch(ledger, { userId: "ada", at: 5, expires })).rejects.toMatchObject({ type: "AdapterError" })
    expect(put).toHaveBeenCalledTimes(20)
  })
})

describe("keys that no version changes, or every session would be lost with it", () => {
  const names = { keyring: createKeyring([first], createKeyCache(4)) }

  it("are derived for nothing else", async () => {
    const { ledger } = open()
    const derive = vi.spyOn(ledger.keyring, "derive")
    await keyOfToken(ledger, "token")
    expect(derive.mock.calls).toEqual([[0, "latchkey.record.session.key"]])
  })

  it("are made anew with the newest secret where a secret made them", async () => {
    const row = { key: "own", userId: "ada" }
    const token = { sessionToken: "token" }
    expect(await currentKeyOf(names, { ...row, kind: "session" }, token)).toBe(await keyOfToken(names, "token"))
    expect(await currentKeyOf(names, { ...row, kind: "session" }, {})).toBe("own")
    expect(await currentKeyOf(names, { ...row, kind: "other" }, token)).toBe("own")
    const epoch = await currentKeyOf(names, { ...row, kind: "epoch" }, token)
    expect(epoch).toBe(await keyOfToken(names, "epoch ada"))
  })

  it("stand under kinds that stay", async () => {
    const { ledger, store } = open()
    const put = vi.spyOn(store, "putRecord")
    await writeSession(ledger, draft)
    await writeEpoch(ledger, { userId: "ada", at: 5, expires })
    const keys = put.mock.calls.map(([{ kind, key, userId }]) => [kind, key, userId])
    expect(keys).toEqual([
      ["session", "one", "ada"],
      ["epoch", await keyOfToken(names, "epoch ada"), null],
    ])
    const sealed = await sealRecord({ kind: "epoch", ...draft, content: { at: 5 } }, ledger)
    expect(sealed.kind).toBe("epoch")
  })
})
