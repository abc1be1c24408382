/** An attacker removes one of the passkeys they have at somebody's address while its owner arrives by a provider: none of them comes back. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { TestBrowser } from "../support/browser.js"
import { registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { steppedCalls } from "../support/stepped-calls.js"
import { makeWorld } from "../support/world.js"

const isIn = async (browser: TestBrowser): Promise<boolean> => (await browser.session()) !== null

async function open(strategy: "jwt" | "database", store: Adapter) {
  const { adapter, cross } = steppedCalls(store)
  const config = { features: [passkeys()], experimental: { enableWebAuthn: true } }
  return { cross, world: await makeWorld({ strategy, adapter, mail: false, more: [Passkey()], config }) }
}

type Opened = Awaited<ReturnType<typeof open>>

/** An attacker with two passkeys at the address of somebody who has never been here. */
async function withThief({ world }: Opened, step: number) {
  const address = `ada-${step}@op.test`
  world.op.person = { sub: address, name: "Ada", email: address, email_verified: true }
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
  return { remove, arrive, expectOwnerAlone }
}

type Thief = Awaited<ReturnType<typeof withThief>>
type Request = () => Promise<unknown>

/** One request is overtaken by another after each of its calls of the store, from the first to the last. */
async function afterEachCall(opened: Opened, order: (thief: Thief) => [Request, Request]): Promise<number> {
  for (let step = 1; ; step += 1) {
    const thief = await withThief(opened, step)
    const { first } = await opened.cross(...order(thief), { first: step })
    if (!first) return step
    await thief.expectOwnerAlone()
  }
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

  it.each(stores)("the owner arrives at any moment of the removal, in a store %s", { tags }, async (_, store) => {
    const opened = await open(strategy, store())
    const steps = await afterEachCall(opened, ({ remove, arrive }) => [remove, arrive])
    expect(steps).toBeGreaterThan(5)
  })

  it("one is removed at any moment of the owner's arrival", { tags }, async () => {
    const opened = await open(strategy, withoutTransactions())
    const steps = await afterEachCall(opened, ({ remove, arrive }) => [arrive, remove])
    expect(steps).toBeGreaterThan(5)
  })
})
