import { createHmac } from "node:crypto"
import { describe, expect, it } from "vitest"
import { verifyMac } from "./mac.js"

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
