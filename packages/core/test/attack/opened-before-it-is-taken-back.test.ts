/** A passkey that somebody adds at an address that is not theirs, while its owner arrives, opens a session before it is taken back. */
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import { holdingCalls } from "../support/held-calls.js"
import { registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const address = "ada@op.test"

it("that session ends with the passkey, where sessions are managed", { tags: ["threat:A-022"] }, async () => {
  const { transaction: _, ...store } = memoryAdapter()
  const { adapter, hold } = holdingCalls(store)
  const config = { features: [managedSessions()], experimental: { enableWebAuthn: true } }
  const world = await makeWorld({ strategy: "jwt", adapter, more: [Passkey()], config })
  const [thief, owner, other] = [world.browser(), world.browser(), world.browser()]
  const [first, second] = [softwarePasskey(), softwarePasskey()]
  await registerPasskey(thief, first, address)
  const adding = await hold("linkAccount", () => registerPasskey(thief, second))
  await world.signInByMail(owner, address)
  const writing = await hold("createAuthenticator", () => adding.finish())
  const looking = await hold("getUser", () => writing.finish())
  await signInByPasskey(other, second)
  expect(await other.session()).toMatchObject({ user: { email: address } })
  await looking.finish()
  expect([await thief.session(), await other.session()]).toEqual([null, null])
  expect(await owner.session()).toMatchObject({ user: { email: address } })
})
