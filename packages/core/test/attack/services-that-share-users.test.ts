/** Applications that share users, arranged as the guide to several applications says: the owner's arrival at one ends all. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { managedSessions } from "../../src/sessions.js"
import { makeWorld } from "../support/world.js"

const ada = "ada@op.test"

describe.each(["database", "jwt"] as const)("sessions: %s", (strategy) => {
  const open = async (isManaged: boolean) => {
    const adapter = memoryAdapter()
    const at = (host: string) =>
      makeWorld({
        adapter,
        strategy,
        origin: `https://${host}.app.test`,
        provider: { id: "keycloak" },
        config: { session: { strategy, expose: ["id"] }, ...(isManaged && { features: [managedSessions()] }) },
      })
    return { shop: await at("shop"), office: await at("office"), adapter }
  }

  it.each([
    [undefined, false],
    [undefined, true],
    [false, false],
    [false, true],
  ])(
    "at one, an address that is verified: %s (managed: %s); its owner comes to the other by mail",
    {
      tags: ["threat:A-022"],
    },
    async (verified, isManaged) => {
      const { shop, office, adapter } = await open(isManaged)
      shop.op.person = {
        sub: "eve",
        name: "Eve",
        email: ada,
        ...(verified !== undefined && { email_verified: verified }),
      }
      const eve = shop.browser()
      await shop.signInAtOp(eve, { provider: "keycloak" })
      const owner = office.browser()
      await office.signInByMail(owner, ada)
      const { id } = (await adapter.getUserByEmail(ada)) ?? {}
      expect(await owner.session()).toMatchObject({ user: { id } })
      expect((await eve.session()) ?? {}).not.toMatchObject({ user: { id } })
      shop.op.person = { sub: "eve-2", name: "Eve", email: "eve@op.test", email_verified: true }
      await shop.signInAtOp(eve, { provider: "keycloak" })
      expect(await eve.session()).toMatchObject({ user: {} })
      expect((await eve.session()) ?? {}).not.toMatchObject({ user: { id } })
    },
  )
})
