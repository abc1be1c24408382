/** A Redis that evicts has lost the list of an attacker's accounts when the owner of the address arrives. */
import { randomUUID } from "node:crypto"
import { redisAdapter } from "@latchkey/redis-adapter"
import { softwarePasskey } from "@latchkey/testing"
import { createClient } from "redis"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { Passkey } from "../../src/providers/passkey.js"
import { passkeyCeremony } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const ada = "ada@op.test"

describeServer("redis", (url) => {
  it.each(["jwt", "database"] as const)(
    "a passkey from before opens nothing of the owner, %s",
    { tags: ["threat:A-022", "threat:RC-29"] },
    async (strategy) => {
      const prefix = `lost-${randomUUID()}`
      const adapter = redisAdapter({ url }, { prefix })
      const client = await createClient({ url }).connect()
      const config = { experimental: { enableWebAuthn: true } }
      const world = await makeWorld({ strategy, adapter, more: [Passkey()], config })
      const key = softwarePasskey()
      await passkeyCeremony(world.browser(), key, { action: "register", email: ada })
      const lists = await client.keys(`{${prefix}}:accounts-of:*`)
      expect(await client.del(lists)).toBe(1)
      const owner = world.browser()
      await world.signInByMail(owner, ada)
      expect(await owner.session()).toMatchObject({ user: { email: ada } })
      const thief = world.browser()
      await passkeyCeremony(thief, key, { action: "authenticate" })
      expect(await thief.session()).toBeNull()
      expect(await client.del(lists)).toBe(1)
      const again = world.browser()
      await world.signInByMail(again, ada)
      expect(await again.session()).toMatchObject({ user: { email: ada } })
      await client.close()
      await adapter.close()
    },
  )
})
