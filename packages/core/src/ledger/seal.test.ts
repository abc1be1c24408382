import { describe, expect, it } from "vitest"
import { createKeyCache, createKeyring } from "../crypto/keyring.js"
import { AdapterError } from "../errors.js"
import { openRecord, sealRecord } from "./seal.js"

const now = new Date("2026-03-01T12:00:00.000Z")
const expires = new Date("2026-03-02T12:00:00.000Z")
const [first, second] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"]
const ring = (...secrets: string[]) => ({ keyring: createKeyring(secrets, createKeyCache(64)), now })
const content = { name: "Ada's phone 📱", proofs: [{ how: "totp", at: 7 }] }
const draft = { kind: "sample", key: "one", userId: "ada", content, expires }

describe("a sealed record", () => {
  it("opens to what it holds, and shows nothing of it", async () => {
    const record = await sealRecord(draft, ring(first))
    expect(record).toMatchObject({ kind: "sample", key: "one", userId: "ada", expires })
    expect(record.value).not.toContain("Ada's phone")
    expect(record.value).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(await openRecord(record, ring(first))).toEqual(content)
  })

  it("opens with any secret, and is sealed with the first", async () => {
    const old = await sealRecord(draft, ring(first))
    expect(await openRecord(old, ring(second, first))).toEqual(content)
    const renewed = await sealRecord({ ...draft, replaces: old }, ring(second, first))
    expect(await openRecord(renewed, ring(second))).toEqual(content)
  })

  it("opens as long as the store keeps it, whatever the clock says", async () => {
    const record = await sealRecord(draft, ring(first))
    const later = { ...ring(first), now: new Date("2056-01-01T00:00:00.000Z") }
    expect(await openRecord(record, later)).toEqual(content)
  })

  it("has a version that follows the one it replaces, and else one that no other record has", async () => {
    const versions = new Set<number>()
    for (let index = 0; index < 200; index += 1) versions.add((await sealRecord(draft, ring(first))).version)
    expect(versions.size).toBe(200)
    for (const version of versions) expect(Number.isSafeInteger(version) && version > 0).toBe(true)
    expect((await sealRecord({ ...draft, replaces: { version: 41 } }, ring(first))).version).toBe(42)
  })
})

describe("a record that does not open is a fault, never an absent one", () => {
  it.each([
    ["no secret made it", {}, second],
    ["it is of another kind", { kind: "another" }, first],
    ["it stands under another key", { key: "two" }, first],
    ["it belongs to another user", { userId: "grace" }, first],
    ["it belongs to nobody", { userId: null }, first],
    ["it was changed", { value: "eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA" }, first],
    ["it is empty", { value: "" }, first],
  ])("when %s", async (_, change, secret) => {
    const record = { ...(await sealRecord(draft, ring(first))), ...change }
    const error = await openRecord(record, ring(secret)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AdapterError)
    expect((error as AdapterError).cause).toMatchObject({ operation: "openRecord", err: expect.any(Error) })
  })
})
