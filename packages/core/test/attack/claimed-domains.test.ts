/** Claims about the domain of an address are no proof of the address: anybody's directory can claim any domain. */
import { describe, expect, it } from "vitest"
import { makeWorld } from "../support/world.js"

const owner = "ada@victim.test"
/** What providers say of organisations and domains, beside an address that is not proven. */
const claims: readonly Readonly<Record<string, unknown>>[] = [
  { hd: "victim.test" },
  { hd: "victim.test", domain: "victim.test", domain_verified: true },
  { tid: "organisation-of-the-thief", xms_edov: true, verified_primary_email: [owner] },
  { org_domain: "victim.test", verified: true, email_verified_by: "domain" },
]

describe.each(["jwt", "database"] as const)("with %s sessions", (strategy) => {
  it.each(claims)(
    "an unverified address with %j signs in nobody who has it",
    { tags: ["threat:A-052"] },
    async (claimed) => {
      const provider = { allowDangerousEmailAccountLinking: true }
      const world = await makeWorld({ strategy, provider })
      await world.signInByMail(world.browser(), owner)
      world.op.person = { sub: "thief", name: "Thief", email: owner, email_verified: false, ...claimed }
      const thief = world.browser()
      await world.signInAtOp(thief)
      const linked = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "thief" })
      const user = await world.adapter.getUserByEmail?.(owner)
      expect(user).toMatchObject({ email: owner })
      expect(linked?.id).not.toBe(user?.id)
    },
  )
})
