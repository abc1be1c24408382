/** Somebody begins sessions without end at an address that is not proven, in a store that ends them one by one: its owner comes in all the same. */
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { managedSessions } from "../../src/sessions.js"
import { passing } from "../support/held-calls.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { withoutSome } from "../support/without-some.js"
import { makeWorld } from "../support/world.js"

const address = "ada@app.test"

it("lets the owner in where each request is cut off before all are ended", { tags: ["threat:FD-21"] }, async () => {
  const store = withoutSome(["deleteSessionsByUserId", "transaction"])
  let left = Number.POSITIVE_INFINITY
  const adapter = passing(store, () => {
    left -= 1
    return left < 0 ? Promise.reject(new Error("The request was cut off.")) : undefined
  })
  const { experimental, providers: more = [] } = passkeyConfig
  const session = { strategy: "database", generateSessionToken: () => crypto.randomUUID() } as const
  const config = { session, experimental, features: [managedSessions()] }
  const world = await makeWorld({ adapter, more, config })
  const [stranger, owner, key] = [world.browser(), world.browser(), softwarePasskey()]
  await registerPasskey(stranger, key, address)
  for (let n = 1; n < 250; n++) await signInByPasskey(world.browser(), key)
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
