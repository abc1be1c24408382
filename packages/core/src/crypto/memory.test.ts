import fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { open, openWith, seal } from "./jwe.js"
import { createKeyCache, createKeyring } from "./keyring.js"
import { createTokenMemory } from "./memory.js"
import { native } from "./native.js"

const cache = createKeyCache(64)
const start = new Date("2026-03-01T12:00:00Z")
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000)
const outcome = async (work: () => unknown): Promise<unknown> => {
  try {
    return { value: await work() }
  } catch (error) {
    return (error as Error).message
  }
}

describe("token memory", () => {
  it("holds what was kept, for its salt alone", () => {
    const memory = createTokenMemory()
    memory.keep("token", "salt", "{}")
    expect(memory.recall("token", "salt")).toBe("{}")
    expect(memory.recall("token", "other")).toBeUndefined()
    expect(memory.recall("token2", "salt")).toBeUndefined()
    memory.forget("token")
    expect(memory.recall("token", "salt")).toBeUndefined()
  })

  it("forgets what was not asked for, and never grows beyond its limit [AL-16]", () => {
    const memory = createTokenMemory(1000)
    const text = "x".repeat(40)
    memory.keep("often", "s", text)
    for (let index = 0; index < 1000; index += 1) {
      memory.keep(`token ${index}`, "s", text)
      expect(memory.recall("often", "s")).toBe(text)
    }
    const kept = Array.from({ length: 1000 }, (_, index) => memory.recall(`token ${index}`, "s")).filter(Boolean)
    expect(kept.length).toBeGreaterThan(5)
    expect(kept.length).toBeLessThanOrEqual(20)
  })

  it("forgets a token of either generation", () => {
    const memory = createTokenMemory(100)
    memory.keep("early", "s", "x".repeat(30))
    memory.keep("later", "s", "x".repeat(30))
    for (const token of ["early", "later"]) {
      memory.forget(token)
      expect(memory.recall(token, "s")).toBeUndefined()
    }
  })

  it("keeps nothing that is very long", () => {
    const memory = createTokenMemory()
    memory.keep("t".repeat(20_000), "s", "{}")
    expect(memory.recall("t".repeat(20_000), "s")).toBeUndefined()
  })
})

describe("opening what comes again", () => {
  const keyring = createKeyring(["first secret", "second secret"], cache)
  const base = { keyring, salt: "s", now: start, isRecurring: true }

  it("decrypts once", async () => {
    const token = await seal({ sub: "7" }, { ...base, maxAge: 60 })
    const decrypt = vi.fn(native?.decrypt ?? (() => new Uint8Array()))
    const way = native && { ...native, decrypt }
    for (const _ of [1, 2, 3]) expect(await openWith(way, token, base)).toMatchObject({ sub: "7" })
    expect(decrypt).toHaveBeenCalledTimes(1)
  })

  it("gives everybody claims of their own", async () => {
    const token = await seal({ list: [1] }, { ...base, maxAge: 60 })
    const one = await open(token, base)
    ;(one.list as number[]).push(2)
    expect(await open(token, base)).toMatchObject({ list: [1] })
  })

  it("keeps nothing that did not open, and nothing that comes once", async () => {
    const own = createKeyring(["first secret"], cache)
    const token = await seal({}, { ...base, keyring: own, maxAge: 60 })
    await open(token, { ...base, keyring: own, isRecurring: false })
    expect(own.opened.recall(token, "s")).toBeUndefined()
    const bad = `${token.slice(0, -4)}AAAA`
    await outcome(() => open(bad, { ...base, keyring: own }))
    await outcome(() => open(token, { ...base, keyring: own, now: after(75) }))
    for (const text of [token, bad]) expect(own.opened.recall(text, "s")).toBeUndefined()
  })

  it("ends with the token, and with the secrets that made it", async () => {
    const token = await seal({}, { ...base, maxAge: 60 })
    await open(token, base)
    expect(await outcome(() => open(token, { ...base, now: after(74) }))).toHaveProperty("value")
    expect(await outcome(() => open(token, { ...base, now: after(75) }))).toBe("token: ended")
    expect(keyring.opened.recall(token, "s")).toBeUndefined()
    await open(token, base)
    const rotated = createKeyring(["third secret"], cache)
    expect(await outcome(() => open(token, { ...base, keyring: rotated }))).toContain("none of the secrets")
  })

  it("answers exactly as if nothing were remembered, in any order of requests", async () => {
    const salts = ["s", "t"]
    const tokens: string[] = []
    for (const [index, salt] of ["s", "s", "t", "s"].entries()) {
      tokens.push(await seal({ index }, { keyring, salt, maxAge: 60 * (index + 1), now: start }))
    }
    const foreign = createKeyring(["foreign secret"], cache)
    tokens.push(await seal({}, { ...base, keyring: foreign, maxAge: 60 }), "garbage", `${tokens[0]}A`)
    const request = fc.record({
      token: fc.constantFrom(...tokens),
      salt: fc.constantFrom(...salts),
      seconds: fc.integer({ min: -60, max: 300 }),
      isRecurring: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 30 }), async (requests) => {
        const remembering = createKeyring(keyring.secrets, cache)
        for (const { token, salt, seconds, isRecurring } of requests) {
          const now = after(seconds)
          const fresh = await outcome(() => open(token, { keyring, salt, now, isRecurring: false }))
          expect(await outcome(() => open(token, { keyring: remembering, salt, now, isRecurring }))).toEqual(fresh)
        }
      }),
      { numRuns: 150 },
    )
  })
})
