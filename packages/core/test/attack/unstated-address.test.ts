/** A provider that says of addresses whether they are verified, and nothing of the one that somebody has entered there. */
import { expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

const ada = "ada@op.test"
const silentEve = { sub: "person-2", name: "Eve", email: ada }
const byClaim = { emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified }
const linking = { ...byClaim, allowDangerousEmailAccountLinking: true }
const strategies = ["jwt", "database"] as const

it.each(strategies)(
  "keeps no account at it for whoever came first, %s",
  { tags: ["threat:A-022"] },
  async (strategy) => {
    const world = await makeWorld({ strategy, provider: byClaim })
    world.op.person = silentEve
    const thief = world.browser()
    await world.signInAtOp(thief)
    const owner = world.browser()
    await world.signInByMail(owner, ada)
    const ownerId = (await world.adapter.getUserByEmail?.(ada))?.id
    const account = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: silentEve.sub })
    expect(account?.id).not.toBe(ownerId)
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
  },
)

it("is not linked by it", { tags: ["threat:A-022"] }, async () => {
  const world = await makeWorld({ provider: linking })
  await world.signInByMail(world.browser(), ada)
  world.op.person = silentEve
  const thief = world.browser()
  expect((await world.signInAtOp(thief)).location).toContain("error=OAuthAccountNotLinked")
  expect(await thief.session()).toBeNull()
})

it("stays in the row and can be signed in with where the provider is declared not to verify", async () => {
  const world = await makeWorld({ provider: { ...byClaim, allowUnverifiedEmail: true } })
  world.op.person = silentEve
  await world.signInAtOp(world.browser())
  expect(await world.adapter.getUserByEmail?.(ada)).toMatchObject({ name: "Eve" })
})

it.each(strategies)(
  "begins a session that ends with the proof, where the row has it from before, %s",
  { tags: ["threat:A-022"] },
  async (strategy) => {
    const adapter = memoryAdapter()
    const before = await makeWorld({ strategy, adapter, mail: false, provider: byClaim })
    before.op.person = silentEve
    const early = before.browser()
    await before.signInAtOp(early)
    const world = await makeWorld({ strategy, adapter, provider: byClaim })
    const thief = world.browser()
    thief.setCookie(sessionCookie, early.cookie(sessionCookie) ?? "")
    expect(await thief.session()).toMatchObject({ user: { email: ada } })
    await world.signInByMail(world.browser(), ada)
    expect(await thief.session()).toBeNull()
  },
)
