/** A user who is deleted while a passkey is registered in a session of theirs does not come back under their id. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { managedSessions } from "../../src/sessions.js"
import { holdingCalls } from "../support/held-calls.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const address = "ada@app.test"
const kept = { nothing: [], facts: [passkeys()], records: [passkeys(), managedSessions()] }
const both = ["jwt", "database"] as const

describe.each(Object.keys(kept) as (keyof typeof kept)[])("where %s of sessions is kept", (keeps) => {
  it.each(
    both.flatMap((strategy) => [[strategy, "getAuthenticator"] as const, [strategy, "getUserByAccount"] as const]),
  )("is gone, with %s, though %s comes late", { tags: ["threat:SF-20"] }, async (strategy, operation) => {
    const store = memoryAdapter()
    const { adapter, hold } = holdingCalls(store)
    const session = { strategy, verifyUser: strategy === "jwt" }
    const { experimental, providers: more = [] } = passkeyConfig
    const world = await makeWorld({ adapter, more, config: { session, experimental, features: kept[keeps] } })
    const [thief, other, late] = [world.browser(), world.browser(), world.browser()]
    for (const browser of [thief, other]) await world.signInByMail(browser, address)
    const { id = "" } = (await store.getUserByEmail(address)) ?? {}
    const key = softwarePasskey()
    const held = await hold(operation, () => registerPasskey(thief, key))
    await store.deleteSessionsByUserId(id)
    await store.deleteRecords(id, {})
    await store.deleteUser(id)
    await held.finish()
    expect(await store.getUser(id)).toBeNull()
    expect(await store.getUserByEmail(address)).toBeNull()
    await signInByPasskey(late, key)
    for (const browser of [thief, other, late]) expect(await browser.session()).toBeNull()
  })
})
