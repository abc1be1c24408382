import { describe, expect, it, vi } from "vitest"
import { builtin } from "../std/runtime.js"
import { withHeader } from "./cipher.js"
import { portable } from "./jose.js"
import { createKeyCache, createKeyring, type DerivedKey } from "./keyring.js"
import { cipher, createNative, type NodeBuffer, type NodeCrypto, native } from "./native.js"

const keyNamed = (name: string): DerivedKey => withHeader({ bytes: new Uint8Array(64), kid512: name, kid256: name })

describe("key cache", () => {
  it("derives a key once", () => {
    const derive = vi.fn((secret: string, salt: string) => keyNamed(secret + salt))
    const cache = createKeyCache(4, derive)
    expect(cache.derive("a", "b")).toBe(cache.derive("a", "b"))
    expect(derive).toHaveBeenCalledTimes(1)
  })

  it("keeps secret and salt apart", () => {
    const derive = vi.fn((secret: string, salt: string) => keyNamed(secret + salt))
    const cache = createKeyCache(4, derive)
    expect(cache.derive("bc", "a")).not.toBe(cache.derive("c", "ab"))
    expect(derive).toHaveBeenCalledTimes(2)
  })

  it("derives once for all who ask at the same time, then answers without a promise", async () => {
    const derive = vi.fn(async (secret: string) => keyNamed(secret))
    const cache = createKeyCache(4, derive)
    const keys = await Promise.all(Array.from({ length: 20 }, () => cache.derive("a", "b")))
    expect(new Set(keys).size).toBe(1)
    expect(derive).toHaveBeenCalledTimes(1)
    expect(cache.derive("a", "b")).toBe(keys[0])
  })

  it("forgets a failure", async () => {
    const derive = vi.fn(async (secret: string) => keyNamed(secret))
    derive.mockRejectedValueOnce(new Error("out of luck"))
    const cache = createKeyCache(4, derive)
    await expect(cache.derive("a", "b")).rejects.toThrow("out of luck")
    expect(await cache.derive("a", "b")).toMatchObject({ kid512: "a" })
  })

  it("drops the least recently used key", { tags: ["threat:AL-16"] }, () => {
    const derive = vi.fn((secret: string) => keyNamed(secret))
    const cache = createKeyCache(2, derive)
    for (const secret of ["a", "b", "a", "c"]) cache.derive(secret, "s")
    expect(derive).toHaveBeenCalledTimes(3)
    cache.derive("a", "s")
    expect(derive).toHaveBeenCalledTimes(3)
    cache.derive("b", "s")
    expect(derive).toHaveBeenCalledTimes(4)
  })
})

describe("keyring", () => {
  it("keeps a copy of the list", () => {
    const list = ["first", "second"]
    const keyring = createKeyring(list, createKeyCache(4))
    list.push("third")
    expect(keyring.secrets).toEqual(["first", "second"])
  })

  it("refuses to derive from no secret", () => {
    expect(() => createKeyring([], createKeyCache(4)).derive(0, "s")).toThrow(
      expect.objectContaining({ type: "MissingSecret" }),
    )
    expect(() => createKeyring(["a", ""], createKeyCache(4)).derive(1, "s")).toThrow(
      expect.objectContaining({ type: "MissingSecret" }),
    )
  })
})

describe("deriving", () => {
  it.each([
    ["ascii", "secret", "salt"],
    ["not ascii", "geheim-ß-秘密", "sälz"],
    ["long", "s".repeat(500), "t".repeat(900)],
  ])("makes the same key natively and portably: %s", async (_, secret, salt) => {
    const own = await cipher.derive(secret, salt)
    const other = await portable.derive(secret, salt)
    const readable = (key: DerivedKey) => ({
      ...key,
      bytes: [...key.bytes],
      macKey: [...key.macKey],
      contentKey: [...key.contentKey],
    })
    expect(readable(own)).toEqual(readable(other))
    // RFC 7518 §5.2.2.1: the MAC has the first half.
    expect([...own.macKey, ...own.contentKey]).toEqual([...own.bytes])
  })

  it("refuses a salt whose label is too long", async () => {
    expect(() => cipher.derive("secret", "t".repeat(1024))).toThrow(RangeError)
    await expect(portable.derive("secret", "t".repeat(1024))).rejects.toThrow(RangeError)
  })
})

describe("the native way", () => {
  const crypto = builtin<NodeCrypto>("node:crypto")
  const buffer = builtin<NodeBuffer>("node:buffer")

  it("is there on this runtime", () => {
    expect(native).toBeDefined()
  })

  it("is absent without the modules", () => {
    expect(createNative(undefined, buffer)).toBeUndefined()
    expect(createNative(crypto, undefined)).toBeUndefined()
  })

  it.each(["hkdfSync", "createHash", "createHmac", "createCipheriv", "createDecipheriv", "timingSafeEqual"] as const)(
    "is absent when %s only throws",
    (name) => {
      const broken = Object.create(crypto ?? null) as NodeCrypto
      Object.defineProperty(broken, name, {
        value: () => {
          throw new Error("not implemented")
        },
      })
      expect(createNative(broken, buffer)).toBeUndefined()
    },
  )
})
