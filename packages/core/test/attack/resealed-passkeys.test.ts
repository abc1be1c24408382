/** A secret is retired after records were sealed anew: passkeys stay manageable, with all that was noted of them. */
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { resealRecords } from "../../src/index.js"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const [old, fresh] = ["old-secret-of-at-least-32-characters", "new-secret-of-at-least-32-characters"]

it("passkeys are listed with their names once the old secret is gone", { tags: ["threat:FP-09"] }, async () => {
  const adapter = memoryAdapter()
  const config = { ...passkeyConfig, features: [passkeys()] }
  // Sessions in a database have records of their own.
  const worldWith = (secret: string | string[]) =>
    makeWorld({ strategy: "jwt", adapter, config: { ...config, secret } })
  const before = await worldWith(old)
  const browser = before.browser()
  const authenticator = softwarePasskey()
  await registerPasskey(browser, authenticator, "ada@app.test")
  const [{ id } = { id: "" }] = JSON.parse((await browser.get("/auth/passkeys")).text) as { id: string }[]
  await browser.post("/auth/passkeys", { rename: id, name: "My phone" })
  const between = await worldWith([fresh, old])
  expect(await resealRecords(between.auth, { now: new Date() })).toMatchObject({ earlier: 1, unopened: 0 })
  const after = await worldWith(fresh)
  const later = after.browser()
  await signInByPasskey(later, authenticator)
  const visit = await later.get("/auth/passkeys")
  expect([visit.status, JSON.parse(visit.text)]).toMatchObject([200, [{ id, name: "My phone" }]])
  expect(after.errors).toEqual([])
})
