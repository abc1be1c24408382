/** Databases that compare a column of texts with a number, before an adapter of somebody else's: 123 finds `123:x`, and signs nobody in as its owner. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import { makeWorld } from "../support/world.js"

/** As MySQL does: a text counts as the number that it begins with. */
async function comparing(id: string | number): Promise<Adapter> {
  const { transaction, comparesExactly, ...memory } = memoryAdapter()
  const victim = await memory.createUser({ id: "v", email: "v@op.test", emailVerified: null, name: "Victim" })
  await memory.linkAccount({ userId: victim.id, type: "oidc", provider: "op", providerAccountId: id as string })
  const stored = (asked: unknown): string =>
    (typeof asked === "number" && Number.parseFloat(String(id)) === asked ? id : asked) as string
  return {
    ...memory,
    getUserByAccount: ({ provider, providerAccountId }) =>
      memory.getUserByAccount({ provider, providerAccountId: stored(providerAccountId) }),
    getAccount: (providerAccountId, provider) => memory.getAccount(stored(providerAccountId), provider),
  }
}

describe.each(["jwt", "database"] as const)("the number of an account, %s", (strategy) => {
  it.each([
    ["123:x", "Eve"],
    ["123abc", "Eve"],
    ["0123", "Eve"],
    [123, "Victim"],
  ])("that finds the id %j signs in %s", { tags: ["threat:FD-21"] }, async (id, name) => {
    const profile = ({ sub, name, email }: Record<string, string>): object => ({ id: Number(sub), name, email })
    const world = await makeWorld({ strategy, adapter: await comparing(id), provider: { profile } })
    world.op.person = { sub: "123", name: "Eve", email: "eve@op.test", email_verified: true }
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: { name } })
  })
})
