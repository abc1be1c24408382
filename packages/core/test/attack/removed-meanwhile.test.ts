/** An attacker removes one of the passkeys they have at somebody's address while its owner arrives by a provider: none of them comes back. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { TestBrowser } from "../support/browser.js"
import { registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { afterCall } from "../support/stepped-calls.js"
import { makeWorld } from "../support/world.js"

const address = "ada@op.test"
const isIn = async (browser: TestBrowser) => (await browser.session()) !== null

/** An attacker with two passkeys at the address; one request makes room for another after `step` calls of the store. */
async function withThief(strategy: "jwt" | "database", store: Adapter, step: number) {
  const { adapter, interrupt } = afterCall(store, step)
  const config = { features: [passkeys()], experimental: { enableWebAuthn: true } }
  const world = await makeWorld({ strategy, adapter, mail: false, more: [Passkey()], config })
  const [thief, owner] = [world.browser(), world.browser()]
  const keys = [softwarePasskey(), softwarePasskey()] as const
  await registerPasskey(thief, keys[0], address)
  await registerPasskey(thief, keys[1])
  const [{ id }] = JSON.parse((await thief.get("/auth/passkeys")).text)
  const remove = () => thief.post("/auth/passkeys", { remove: id })
  const arrive = () => world.signInAtOp(owner)
  /** The owner is in, and nothing that the attacker has signs them in. */
  const expectOwnerAlone = async (): Promise<void> => {
    expect(await owner.session()).toMatchObject({ user: { email: address } })
    const ways = [thief]
    for (const key of keys) {
      const later = world.browser()
      await signInByPasskey(later, key)
      ways.push(later)
    }
    expect([step, await Promise.all(ways.map(isIn))]).toEqual([step, [false, false, false]])
  }
  return { interrupt, remove, arrive, expectOwnerAlone }
}

/** Tries it after each call of the store, from the first to the last that there is. */
async function afterEachCall(attempt: (step: number) => Promise<boolean>): Promise<number> {
  let step = 1
  while (await attempt(step)) step += 1
  return step
}

function withoutTransactions(): Adapter {
  const { transaction: _, ...store } = memoryAdapter()
  return store
}

const stores: readonly (readonly [string, () => Adapter])[] = [
  ["with transactions", memoryAdapter],
  ["without transactions", withoutTransactions],
]

describe.each(["jwt", "database"] as const)("with sessions of %s", (strategy) => {
  const tags = ["threat:A-022"]

  it.each(stores)("the owner arrives at any moment of the removal, in a store %s", { tags }, async (_, open) => {
    const steps = await afterEachCall(async (step) => {
      const { interrupt, remove, arrive, expectOwnerAlone } = await withThief(strategy, open(), step)
      const isReached = await interrupt(remove, arrive)
      if (isReached) await expectOwnerAlone()
      return isReached
    })
    expect(steps).toBeGreaterThan(5)
  })

  it("one is removed at any moment of the owner's arrival", { tags }, async () => {
    const steps = await afterEachCall(async (step) => {
      const { interrupt, remove, arrive, expectOwnerAlone } = await withThief(strategy, withoutTransactions(), step)
      const isReached = await interrupt(arrive, remove)
      if (isReached) await expectOwnerAlone()
      return isReached
    })
    expect(steps).toBeGreaterThan(5)
  })
})
