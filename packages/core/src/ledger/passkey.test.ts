import { describe, expect, it, vi } from "vitest"
import { memoryRecords } from "../adapters/records.js"
import { createKeyCache, createKeyring } from "../crypto/keyring.js"
import { createRecords } from "../ports/records.js"
import { secondsAfter } from "../std/time.js"
import { beginRemoval, forgetPasskeyNote, readPasskeyNote, writePasskeyNote } from "./passkey.js"

const start = new Date("2026-03-01T12:00:00.000Z")

function open() {
  const store = memoryRecords()
  const keyring = createKeyring(["0123456789abcdef0123456789abcdef"], createKeyCache(64))
  const at = (seconds = 0) => ({ records: createRecords(store), keyring, now: secondsAfter(start, seconds) })
  return { store, at }
}

describe("a removal of a passkey that is under way", () => {
  it("is counted with the others of its user until it is finished, and with those of nobody else", async () => {
    const { at } = open()
    const first = await beginRemoval(at(), "ada")
    const second = await beginRemoval(at(1), "ada")
    expect([first.count, second.count, (await beginRemoval(at(1), "grace")).count]).toEqual([1, 2, 1])
    await first.finish()
    expect((await beginRemoval(at(2), "ada")).count).toBe(2)
    await second.finish()
    expect((await beginRemoval(at(3), "ada")).count).toBe(2)
  })

  it("is counted for a minute where it is never finished: whoever began it has died", async () => {
    const { at } = open()
    await beginRemoval(at(), "ada")
    expect((await beginRemoval(at(59), "ada")).count).toBe(2)
    expect((await beginRemoval(at(120), "ada")).count).toBe(1)
  })

  it("leaves nothing that names the user", async () => {
    const { store, at } = open()
    const count = vi.spyOn(store, "countRecord")
    const { finish } = await beginRemoval(at(), "ada")
    await finish()
    const key = { kind: "removal", key: expect.stringMatching(/^[\w-]{43}$/) }
    const counted = (add: number) => [key, { add, expires: secondsAfter(start, 60), now: start }]
    expect(count.mock.calls).toEqual([counted(1), counted(-1)])
  })
})

describe("the note of a passkey", () => {
  const given = { credentialID: "key", userId: "ada" }

  it("is added to, and gone once it is forgotten", async () => {
    const { at } = open()
    expect(await readPasskeyNote(at(), "key")).toEqual({})
    expect(await writePasskeyNote(at(), { ...given, note: { name: "phone" } })).toBe(true)
    expect(await writePasskeyNote(at(), { ...given, note: { usedAt: 7 } })).toBe(true)
    expect(await readPasskeyNote(at(), "key")).toEqual({ name: "phone", usedAt: 7 })
    await forgetPasskeyNote(at(), "key")
    expect(await readPasskeyNote(at(), "key")).toEqual({})
  })

  it("begins anew where the passkey is added: somebody may have left one of the same id", {
    tags: ["threat:A-043"],
  }, async () => {
    const { at } = open()
    await writePasskeyNote(at(), { ...given, note: { addedAt: 1, name: "phone of Ada", usedAt: 7 } })
    await writePasskeyNote(at(), { ...given, userId: "eve", note: { addedAt: 9 } })
    expect(await readPasskeyNote(at(), "key")).toEqual({ addedAt: 9 })
  })

  it("is not kept where others write to it all the time", async () => {
    const { store, at } = open()
    const put = vi.spyOn(store, "putRecord").mockResolvedValue(false)
    expect(await writePasskeyNote(at(), { ...given, note: { name: "phone" } })).toBe(false)
    expect(put).toHaveBeenCalledTimes(3)
  })
})
