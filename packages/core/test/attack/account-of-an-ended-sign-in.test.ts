/** All sessions of somebody end while their first sign-in at a provider is under way: it is refused, and works when it is repeated. */
import { expect, it } from "vitest"
import { managedSessions } from "../../src/sessions.js"
import type { Adapter } from "../../src/types/adapter.js"
import { withoutSome } from "../support/without-some.js"
import { makeWorld } from "../support/world.js"

const account = { provider: "op", providerAccountId: "new" }
const address = "new@op.test"

/** The calls for records that such a sign-in makes once its account is written, and a few more. */
const calls = Array.from({ length: 6 }, (_, index) => index + 1)

it.each(["jwt", "database"] as const)(
  "keeps its account, so that nobody stays without a way in, %s",
  { tags: ["threat:SF-08"] },
  async (strategy) => {
    const refused: number[] = []
    for (const last of calls) {
      let left = Number.POSITIVE_INFINITY
      const store = withoutSome(["transaction", "createUserWithAccount"])
      const sessions = managedSessions()
      const adapter: Adapter = {
        ...store,
        async linkAccount(given) {
          left = last
          return store.linkAccount?.(given)
        },
        async getRecord(...given) {
          left -= 1
          if (left === 0) {
            const user = await store.getUserByEmail?.(address)
            await sessions.endAll(world.auth, user?.id ?? "")
          }
          return (await store.getRecord?.(...given)) ?? null
        },
      }
      const world = await makeWorld({ adapter, mail: false, strategy, config: { features: [sessions] } })
      world.op.person = { sub: "new", name: "New", email: address, email_verified: true }
      const [browser, later] = [world.browser(), world.browser()]
      const { location } = await world.signInAtOp(browser)
      if (location?.includes("error=")) refused.push(last)
      if (left <= 0) expect(await browser.session()).toBeNull()
      expect(await store.getUserByAccount?.(account)).toMatchObject({ email: address })
      left = Number.POSITIVE_INFINITY
      await world.signInAtOp(later)
      expect(await later.session()).toMatchObject({ user: { email: address } })
    }
    expect(refused.length).toBeGreaterThan(0)
  },
)
