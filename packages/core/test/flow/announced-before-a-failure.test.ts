/** What an owner's first sign-in has written is announced, also where the store fails once it is committed. */
import { softwarePasskey } from "@latchkey/testing"
import { expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import { holdingCalls } from "../support/held-calls.js"
import { registerPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

it.each(["jwt", "database"] as const)("a proven address, %s strategy", { tags: ["threat:A-022"] }, async (strategy) => {
  const { transaction: _, ...store } = memoryAdapter()
  let isAway = false
  const { adapter, hold } = holdingCalls({
    ...store,
    async listAccountsByUserId(id) {
      if (isAway) throw new Error("the store is away")
      return store.listAccountsByUserId(id)
    },
  })
  const config = { experimental: { enableWebAuthn: true } }
  const world = await makeWorld({ strategy, adapter, more: [Passkey()], config })
  await registerPasskey(world.browser(), softwarePasskey(), "ada@op.test")
  world.events.length = 0
  const arriving = await hold("linkAccount", () => world.signInByMail(world.browser(), "ada@op.test"))
  isAway = true
  const { location } = await arriving.finish()
  expect(location).toContain("error=Callback")
  expect((await store.getUserByEmail("ada@op.test"))?.emailVerified).toBeInstanceOf(Date)
  expect(world.events.map(([name]) => name)).toEqual(["updateUser", "linkAccount"])
})
