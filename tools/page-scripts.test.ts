/** The generated scripts of the pages are those their sources make, and each hash is its own. */
import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { formScript } from "../packages/core/src/pages/form-script.js"
import { passkeyScript } from "../packages/core/src/pages/passkey-script.js"
import { signalScript } from "../packages/core/src/pages/signal-script.js"
import { bundle, current, moduleOf, scripts } from "./page-scripts.mjs"

describe.each(scripts)("the script made from $source", (script) => {
  it("is in sync with its source", async () => {
    expect(await current(script)).toBe(moduleOf(script, await bundle(script)))
  })
})

describe.each([
  { name: "passkeys", script: passkeyScript, most: 16_000 },
  { name: "forms", script: formScript, most: 5_000 },
  { name: "signals", script: signalScript, most: 1_000 },
])("the script for $name", ({ script, most }) => {
  it("has the hash by which a policy allows it", () => {
    const digest = createHash("sha256").update(script.text, "utf8").digest("base64")
    expect(script.hash).toBe(`sha256-${digest}`)
  })

  it("can stand inline, reaches for no other host, and stays small", () => {
    expect(script.text).not.toMatch(/<\/script|<!--|https?:\/\//i)
    expect(script.text.length).toBeLessThan(most)
  })
})
