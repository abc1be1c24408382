/** A stranger's user and passkey are written one after the other, and the owner of the address comes and ends all sessions in between. */
import { softwarePasskey } from "@latchkey/testing"
import { expect, it, vi } from "vitest"
import { passkeys } from "../../src/passkeys.js"
import { managedSessions } from "../../src/sessions.js"
import { holdingCalls } from "../support/held-calls.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { withoutSome } from "../support/without-some.js"
import { makeWorld } from "../support/world.js"

const address = "ada@op.test"

it.each(["jwt", "database"] as const)(
  "leaves no passkey with the owner, %s",
  { tags: ["threat:A-022"] },
  async (strategy) => {
    const { adapter, hold } = holdingCalls(withoutSome(["transaction", "createUserWithAccount"]))
    const { experimental, providers: more = [] } = passkeyConfig
    const sessions = managedSessions()
    const world = await makeWorld({
      adapter,
      strategy,
      more,
      config: { experimental, features: [passkeys(), sessions] },
    })
    const key = softwarePasskey()
    const [thief, owner, later] = [world.browser(), world.browser(), world.browser()]
    const held = await hold("linkAccount", () => registerPasskey(thief, key, address))
    await world.signInByMail(owner, address)
    const { id = "" } = (await adapter.getUserByEmail?.(address)) ?? {}
    // A sign-in that comes in the same millisecond goes on.
    const now = Date.now()
    await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(now + 1))
    await sessions.endAll(world.auth, id)
    await held.finish()
    await signInByPasskey(later, key)
    for (const browser of [thief, later]) expect(await browser.session()).toBeNull()
    expect(await adapter.listAccountsByUserId?.(id)).toMatchObject([{ type: "email" }])
  },
)

it.each(["jwt", "database"] as const)(
  "leaves no account where the application has proven the address itself, %s",
  { tags: ["threat:A-022"] },
  async (strategy) => {
    const { adapter, hold } = holdingCalls(withoutSome(["transaction", "createUserWithAccount"]))
    const sessions = managedSessions()
    const world = await makeWorld({ adapter, strategy, mail: false, config: { features: [sessions] } })
    world.op.person = { sub: "eve", name: "Eve", email: address }
    const [thief, later] = [world.browser(), world.browser()]
    const held = await hold("linkAccount", () => world.signInAtOp(thief))
    const { id = "" } = (await adapter.getUserByEmail?.(address)) ?? {}
    await adapter.updateUser?.({ id, emailVerified: new Date() })
    await sessions.endAll(world.auth, id)
    await held.finish()
    await world.signInAtOp(later)
    for (const browser of [thief, later]) expect(await browser.session()).toBeNull()
    expect(await adapter.listAccountsByUserId?.(id)).toEqual([])
  },
)
