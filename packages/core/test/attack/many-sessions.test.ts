/** Somebody begins sessions without end at an address that is not proven, in a store that ends them one by one: its owner comes in all the same. */
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { managedSessions } from "../../src/sessions.js"
import { passing } from "../support/held-calls.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { withoutSome } from "../support/without-some.js"
import { makeWorld } from "../support/world.js"

const address = "ada@app.test"

/** A stranger with so many sessions, and what is asked of the store from then on. */
async function occupied(sessions: number, onCall: (operation: string) => Promise<void> | undefined) {
  const store = withoutSome(["deleteSessionsByUserId", "transaction"])
  let isOccupied = false
  const adapter = passing(store, (operation) => (isOccupied ? onCall(operation) : undefined))
  const { experimental, providers: more = [] } = passkeyConfig
  const session = { strategy: "database", generateSessionToken: () => crypto.randomUUID() } as const
  const config = { session, experimental, features: [managedSessions()] }
  const world = await makeWorld({ adapter, more, config })
  const [stranger, owner, key] = [world.browser(), world.browser(), softwarePasskey()]
  await registerPasskey(stranger, key, address)
  for (let n = 1; n < sessions; n++) await signInByPasskey(world.browser(), key)
  isOccupied = true
  return { world, stranger, owner }
}

it("lets the owner in where each request is cut off before all are ended", { tags: ["threat:A-022"] }, async () => {
  let left = Number.POSITIVE_INFINITY
  const { world, stranger, owner } = await occupied(250, () => {
    left -= 1
    return left < 0 ? Promise.reject(new Error("The request was cut off.")) : undefined
  })
  let tries = 0
  for (let isIn = false; !isIn && tries < 10; tries++) {
    left = 240
    await world.signInByMail(owner, address)
    left = Number.POSITIVE_INFINITY
    isIn = (await owner.session()) !== null
  }
  expect([tries > 1, tries < 10]).toEqual([true, true])
  expect(await stranger.session()).toBeNull()
})

it("lists them a few times, however many they are", { tags: ["threat:A-022"] }, async () => {
  let lists = 0
  const { world, stranger, owner } = await occupied(500, (operation) => {
    if (operation === "listRecords") lists += 1
    return undefined
  })
  await world.signInByMail(owner, address)
  expect(await stranger.session()).toBeNull()
  expect(await owner.session()).toMatchObject({ user: { email: address } })
  expect(lists).toBeLessThanOrEqual(6)
})
