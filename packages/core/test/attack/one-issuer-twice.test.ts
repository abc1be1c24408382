/** Two providers of one issuer, with a client each: each has accounts of its own. */
import { describe, expect, it } from "vitest"
import { makeWorld } from "../support/world.js"

describe.each(["jwt", "database"] as const)("with sessions of %s", (strategy) => {
  it("the same subject is another account at each, so nobody enters as the user of the other", {
    tags: ["threat:I9-09", "threat:B9-34", "threat:C1-37"],
  }, async () => {
    const world = await makeWorld({ strategy, second: { id: "partners", name: "Partners" } })
    const owner = world.browser()
    await world.signInAtOp(owner)
    const first = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "person-1" })
    const refused = await world.signInAtOp(world.browser(), { provider: "partners" })
    expect(refused.location).toContain("error=OAuthAccountNotLinked")
    expect(await world.adapter.getUserByAccount?.({ provider: "partners", providerAccountId: "person-1" })).toBeNull()

    world.op.person = { sub: "person-1", name: "Eve", email: "eve@op.test", email_verified: true }
    const other = world.browser()
    await world.signInAtOp(other, { provider: "partners" })
    const second = await world.adapter.getUserByAccount?.({ provider: "partners", providerAccountId: "person-1" })
    expect([first?.email, second?.email]).toEqual(["ada@op.test", "eve@op.test"])
    expect(await other.session()).toMatchObject({ user: { name: "Eve" } })
    expect(await owner.session()).toMatchObject({ user: { name: "Ada" } })
  })
})
