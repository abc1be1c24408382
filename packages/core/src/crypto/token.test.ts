import { createHmac } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { portable } from "./jose.js"
import { native } from "./native.js"
import { keyedHash, randomBase64url, randomHex, randomUuid, sha256, sha256Hex, verifyMac } from "./token.js"

describe("random texts", () => {
  it.each([
    ["hex of 32 bytes", () => randomHex(), /^[0-9a-f]{64}$/],
    ["hex of 4 bytes", () => randomHex(4), /^[0-9a-f]{8}$/],
    ["base64url of 32 bytes", () => randomBase64url(), /^[\w-]{43}$/],
    ["a UUID", () => randomUuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ])("makes %s, never the same", (_, make, form) => {
    const made = Array.from({ length: 50 }, make)
    for (const text of made) expect(text).toMatch(form)
    expect(new Set(made).size).toBe(50)
  })
})

describe("digests", () => {
  it("hashes the UTF-8 bytes of a text", async () => {
    expect(await sha256Hex("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    expect(await sha256Hex("秘密")).toBe(
      [...new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode("秘密")))]
        .map((byte) => byte.toString(16).padStart(2, "0"))
        .join(""),
    )
    expect((await sha256("x")).byteLength).toBe(32)
  })
})

const secret = "ö".repeat(32)
const text = "header.payload"

describe("a keyed hash", () => {
  it.each(["SHA-256", "SHA-384", "SHA-512"] as const)(
    "with %s verifies as node makes it, and only so",
    async (hash) => {
      const made = new Uint8Array(createHmac(hash.replace("-", "").toLowerCase(), secret).update(text).digest())
      expect(await verifyMac({ text, mac: made, secret, hash })).toBe(true)
      expect(await verifyMac({ text: "header.other", mac: made, secret, hash })).toBe(false)
      expect(await verifyMac({ text, mac: made, secret: `${secret}x`, hash })).toBe(false)
      expect(await verifyMac({ text, mac: made.slice(1), secret, hash })).toBe(false)
      expect(await verifyMac({ text, mac: new Uint8Array(), secret, hash })).toBe(false)
    },
  )

  it("proves nothing with a secret shorter than itself", { tags: ["threat:C1-18"] }, async () => {
    const short = "s".repeat(31)
    const mac = new Uint8Array(createHmac("sha256", short).update(text).digest())
    expect(await verifyMac({ text, mac, secret: short, hash: "SHA-256" })).toBe(false)
  })
})

describe("a keyed hash", () => {
  const key = new Uint8Array(64).fill(7)

  it("is the HMAC with SHA-256 of RFC 4231 §4.2, with both ciphers", async () => {
    const rfcKey = new Uint8Array(20).fill(0x0b)
    const expected = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    for (const cipher of [portable, native ?? portable])
      expect(Buffer.from(await cipher.mac(rfcKey, "Hi There")).toString("hex")).toBe(expected)
  })

  it("is the same with the native cipher and with Web Cryptography", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.string(), async (bytes, text) => {
        expect(Buffer.from(await (native ?? portable).mac(bytes, text))).toEqual(
          Buffer.from(await portable.mac(bytes, text)),
        )
      }),
    )
  })

  it("is there at once where the runtime has cryptography of its own", () => {
    expect(keyedHash(key, "ada@app.test")).toMatch(/^[\w-]{43}$/)
  })
})
