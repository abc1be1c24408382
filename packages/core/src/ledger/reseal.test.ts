import { describe, expect, it } from "vitest"
import { memoryRecords } from "../adapters/records.js"
import { createKeyCache, createKeyring } from "../crypto/keyring.js"
import { createRecords } from "../ports/records.js"
import { readEpoch, writeEpoch } from "./epoch.js"
import { sealedKinds, walkSeals } from "./reseal.js"
import { sealRecord } from "./seal.js"
import { findSession, keyOfToken, type SessionContent, takeSession, writeSession } from "./session.js"

const now = new Date("2026-03-01T12:00:00.000Z")
const expires = new Date("2026-04-01T12:00:00.000Z")
const [old, fresh] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"]
const ring = (...secrets: string[]) => createKeyring(secrets, createKeyCache(64))

function stage() {
  const store = memoryRecords()
  const records = createRecords(store)
  const ledger = (...secrets: string[]) => ({ records, keyring: ring(...secrets), now })
  const walk = (isWriting = true, kinds: readonly string[] = sealedKinds) =>
    walkSeals({ ...ledger(fresh, old), kinds, isWriting, onProgress: () => {} })
  /** Something happens between reading a record and writing it. */
  const walkWhile = (meanwhile: () => Promise<unknown>, kinds: readonly string[] = sealedKinds) =>
    walkSeals({
      ...ledger(fresh, old),
      records: {
        ...records,
        putRecord: async (...given) => {
          await meanwhile()
          return records.putRecord(...given)
        },
      },
      kinds,
      isWriting: true,
      onProgress: () => {},
    })
  const begin = async (sessionToken: string) => {
    const content = { facts: {}, client: {}, seenAt: 1, generation: 1, sessionToken } as unknown as SessionContent
    const key = await keyOfToken(ledger(old), sessionToken)
    await writeSession(ledger(old), { key, userId: "ada", expires, content })
    return key
  }
  /** The end of all sessions of a user as earlier versions wrote it: theirs, and under the earlier secret. */
  const endAsBefore = async (userId: string, at: number) => {
    const key = await keyOfToken(ledger(old), `epoch ${userId}`)
    const record = await sealRecord({ kind: "epoch", key, userId, content: { at }, expires }, ledger(old))
    await records.putRecord(record, { expected: 0, now })
  }
  return { store, records, ledger, walk, walkWhile, begin, endAsBefore }
}

describe("sealing anew", () => {
  it("makes every session found and opened by the newest secret alone", async () => {
    const { ledger, walk, begin } = stage()
    for (let index = 0; index < 250; index += 1) await begin(`token-${index}`)
    expect(await walk(false)).toEqual({ current: 0, earlier: 250, unopened: 0 })
    expect(await findSession(ledger(fresh), "token-7")).toBeNull()
    expect((await walk()).unopened).toBe(0)
    expect(await walk()).toEqual({ current: 250, earlier: 0, unopened: 0 })
    for (let index = 0; index < 250; index += 1) {
      expect((await findSession(ledger(fresh), `token-${index}`))?.content.sessionToken).toBe(`token-${index}`)
    }
  })

  it("leaves a session that ends while it is moved ended", async () => {
    const { ledger, walk, walkWhile, begin } = stage()
    const key = await begin("token")
    expect(await walkWhile(() => takeSession(ledger(old), key))).toEqual({ current: 0, earlier: 0, unopened: 0 })
    expect(await findSession(ledger(fresh, old), "token")).toBeNull()
    expect(await walk(false)).toEqual({ current: 0, earlier: 0, unopened: 0 })
  })

  it.each([
    ["under the newest secret", 9, 5],
    ["under the earlier one", 5, 9],
    ["under the earlier one alone", undefined, 9],
  ])("keeps the latest end of all sessions of a user, written %s", async (_, first, second) => {
    const { ledger, walk } = stage()
    if (first !== undefined) await writeEpoch(ledger(fresh), { userId: "ada", at: first, expires })
    await writeEpoch(ledger(old), { userId: "ada", at: second, expires })
    await walk()
    expect(await readEpoch(ledger(fresh), "ada")).toEqual({ at: 9, milliseconds: 9_000 })
    expect(await readEpoch(ledger(old), "ada")).toBeUndefined()
  })

  it("keeps the end of all sessions of a user however often the secret changes, and moves each of them once", async () => {
    const { records, ledger, endAsBefore } = stage()
    const third = "third-secret-of-at-least-32-characters"
    const walk = (isWriting: boolean, ...secrets: string[]) =>
      walkSeals({ ...ledger(...secrets), kinds: [], isWriting, onProgress: () => {} })
    await endAsBefore("grace", 7)
    await writeEpoch(ledger(old), { userId: "ada", at: 9, expires })
    const steps = [[old], [fresh, old], [third, fresh]] as const
    for (const [newest, ...others] of steps) {
      const found = others.length === 0 ? { current: 2, earlier: 0 } : { current: 0, earlier: 2 }
      expect(await walk(true, newest, ...others)).toEqual({ ...found, unopened: 0 })
      expect(await walk(false, newest)).toEqual({ current: 2, earlier: 0, unopened: 0 })
      expect([await readEpoch(ledger(newest), "ada"), await readEpoch(ledger(newest), "grace")]).toEqual([
        { at: 9, milliseconds: 9_000 },
        { at: 7 },
      ])
    }
    await writeEpoch(ledger(third), { userId: "ada", at: 5, expires })
    expect(await readEpoch(ledger(third), "ada")).toEqual({ at: 9, milliseconds: 9_000 })
    expect(await records.deleteRecords("ada", {})).toBe(0)
  })

  it.each([
    ["under the newest secret", 9, 5],
    ["by an earlier version", 5, 9],
    ["by an earlier version alone", undefined, 9],
  ])("keeps the latest end where an earlier version has written one, written %s", async (_, first, second) => {
    const { records, ledger, walk, endAsBefore } = stage()
    if (first !== undefined) await writeEpoch(ledger(fresh), { userId: "ada", at: first, expires })
    await endAsBefore("ada", second)
    await walk()
    expect(await readEpoch(ledger(fresh), "ada")).toEqual({
      at: 9,
      ...(first !== undefined && { milliseconds: first * 1000 }),
    })
    expect(await readEpoch(ledger(old), "ada")).toBeUndefined()
    expect(await records.deleteRecords("ada", {})).toBe(0)
  })

  it("keeps an end that is written under the earlier secret while the one before it moves", async () => {
    const { ledger, walkWhile } = stage()
    await writeEpoch(ledger(old), { userId: "ada", at: 5, expires })
    let isFirst = true
    await walkWhile(async () => {
      if (!isFirst) return
      isFirst = false
      await writeEpoch(ledger(old), { userId: "ada", at: 9, expires })
    })
    expect(await readEpoch(ledger(fresh), "ada")).toEqual({ at: 9, milliseconds: 9_000 })
  })

  it("keeps what was written while it moves", async () => {
    const { ledger, walkWhile, begin } = stage()
    const key = await begin("token")
    let isFirst = true
    await walkWhile(async () => {
      if (!isFirst) return
      isFirst = false
      const before = await findSession(ledger(old), "token")
      if (before) await writeSession(ledger(old), { ...before, key, content: { ...before.content, seenAt: 99 } })
    })
    expect((await findSession(ledger(fresh), "token"))?.content.seenAt).toBe(99)
  })

  it("seals records of other kinds where they are, passes over those that have ended, and counts what it cannot open", async () => {
    const { records, ledger, walk } = stage()
    const draft = { kind: "own", userId: null, content: { a: 1 }, expires }
    const put = async (key: string, secret: string, ends = expires) =>
      records.putRecord(await sealRecord({ ...draft, key, expires: ends }, ledger(secret)), {
        expected: 0,
        now: new Date(0),
      })
    await put("one", old)
    await put("two", fresh)
    await put("three", "a secret that nobody has any more")
    await put("four", old, now)
    await put("five", fresh, now)
    await put("six", "a secret that nobody has any more", now)
    expect(await walk(true, ["own"])).toEqual({ current: 1, earlier: 1, unopened: 1 })
    expect(await walk(true, ["own"])).toEqual({ current: 2, earlier: 0, unopened: 1 })
  })

  it.each([
    ["the earlier secret once", old, 1, { current: 0, earlier: 1, unopened: 0 }],
    ["the newest secret", fresh, 1, { current: 1, earlier: 0, unopened: 0 }],
    ["no secret, because it was removed", undefined, 1, { current: 0, earlier: 0, unopened: 0 }],
  ])("counts a record that others write meanwhile with %s by what it is sealed with then", async (...given) => {
    const [, secret, times, counts] = given
    const { walk, walkWhile, write } = await contended()
    expect(await walkWhile(write(secret, times), ["own"])).toEqual(counts)
    expect((await walk(false, ["own"])).earlier).toBe(0)
  })

  it("fails where a process without the newest secret never stops writing a record", async () => {
    const { walkWhile, write } = await contended()
    await expect(walkWhile(write(old, Number.POSITIVE_INFINITY), ["own"])).rejects.toThrow(/newest secret/)
  })
})

/** One record of a kind of its own, sealed with the earlier secret, that another process writes meanwhile. */
async function contended() {
  const { records, ledger, walk, walkWhile } = stage()
  const id = { kind: "own", key: "one" }
  const draft = { ...id, userId: null, content: { a: 1 }, expires }
  const first = await sealRecord(draft, ledger(old))
  await records.putRecord(first, { expected: 0, now })
  const write = (secret: string | undefined, times: number) => {
    let left = times
    return async (): Promise<unknown> => {
      if (left <= 0) return
      left -= 1
      const before = await records.getRecord(id, now)
      if (secret === undefined || !before) return records.takeRecord(id, now)
      const record = await sealRecord({ ...draft, replaces: before }, ledger(secret))
      return records.putRecord(record, { expected: before.version, now })
    }
  }
  return { walk, walkWhile, write }
}
