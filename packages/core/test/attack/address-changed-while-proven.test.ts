/** An application changes the address of a user while that user proves the one before: the new one counts as unproven. */
import { expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import { makeWorld } from "../support/world.js"

const [before, after] = ["eve@op.test", "victim@app.test"]

function withoutGetUser() {
  const { getUser: _, ...adapter } = memoryAdapter()
  return adapter
}

it.each([
  ["as that for TypeORM does", memoryAdapter],
  ["and reads no user by its id", withoutGetUser],
])("a link proves its address where the adapter answers a change without it, %s", async (_, open) => {
  const { transaction: __, ...memory } = open()
  const adapter: Adapter = {
    ...memory,
    updateUser: async (change) => ({ ...(await memory.updateUser(change)), email: null as never }),
  }
  const world = await makeWorld({ adapter })
  world.op.person = { sub: "eve", name: "Eve", email: before }
  await world.signInAtOp(world.browser())
  const eve = world.browser()
  await world.signInByMail(eve, before)
  expect(await eve.session()).not.toBeNull()
  expect(await memory.getUserByEmail(before)).toMatchObject({ emailVerified: expect.any(Date) })
})

it.each([
  ["without transactions", { hasTransactions: false }],
  ["with transactions", { hasTransactions: true }],
  ["that answers a change without the address", { hasTransactions: false, isSilent: true }],
])(
  "a link to one address proves no other, in a store %s",
  {
    tags: ["threat:A-051", "threat:A-022"],
  },
  async (_, { hasTransactions, isSilent }: { hasTransactions: boolean; isSilent?: boolean }) => {
    const { transaction, ...memory } = memoryAdapter()
    const changing = (store: Adapter): Adapter => ({
      ...store,
      async updateUser(change) {
        if (change.emailVerified) await store.updateUser?.({ id: change.id, email: after, emailVerified: null })
        const updated = await store.updateUser?.(change)
        return { ...updated, ...(isSilent && { email: null }) } as never
      },
    })
    const adapter: Adapter = hasTransactions
      ? { ...memory, transaction: (work) => transaction((inside) => work(changing(inside))) }
      : changing(memory)
    const world = await makeWorld({ adapter })
    // The provider says nothing of the address.
    world.op.person = { sub: "eve", name: "Eve", email: before }
    await world.signInAtOp(world.browser())
    const eve = world.browser()
    expect((await world.signInByMail(eve, before)).location).toContain("error=OAuthAccountNotLinked")
    expect(await eve.session()).toBeNull()
    const user = (await memory.getUserByEmail(before)) ?? (await memory.getUserByEmail(after))
    expect(user).toMatchObject({ email: hasTransactions ? before : after, emailVerified: null })
  },
)
