/** The generated script of the sign-in page is the one its sources make, and its hash is its own. */
import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { passkeyScript } from "../packages/core/src/pages/passkey-script.js"
import { bundle, current, moduleOf } from "./passkey-script.mjs"

it("is in sync with its sources", async () => {
  expect(await current()).toBe(moduleOf(await bundle()))
})

it("has the hash by which a policy allows it", () => {
  const digest = createHash("sha256").update(passkeyScript.text, "utf8").digest("base64")
  expect(passkeyScript.hash).toBe(`sha256-${digest}`)
})

it("can stand inline and reaches for no other host", () => {
  expect(passkeyScript.text).not.toMatch(/<\/script|<!--|https?:\/\//i)
  expect(passkeyScript.text.length).toBeLessThan(16_000)
})
