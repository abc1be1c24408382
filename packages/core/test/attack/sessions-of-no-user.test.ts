/** Where an application asks to end the sessions of nobody in particular, or hands over what somebody has sent: adapters that take that for a condition end nobody's. */
import { expect, it } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

/** As Prisma does, which takes `undefined` for no condition, and as drivers of MongoDB do, which take objects for conditions. */
function matching(): Adapter {
  const { transaction, ...memory } = memoryAdapter()
  const users: string[] = []
  return {
    ...memory,
    async createUser(user) {
      const created = await memory.createUser(user)
      users.push(created.id)
      return created
    },
    getUser: async (id) => memory.getUser(typeof id === "string" ? id : (users[0] ?? "")),
    async deleteSessionsByUserId(id) {
      for (const user of typeof id === "string" ? [id] : users) await memory.deleteSessionsByUserId(user)
    },
  }
}

it.each([undefined, null, { $ne: null }, ["u1"], true])("nothing ends for %j", async (userId) => {
  const sessions = managedSessions()
  const config = { features: [sessions], session: { strategy: "database" as const } }
  const world = await makeWorld({ adapter: matching(), config })
  const [ada, bob] = [world.browser(), world.browser()]
  await world.signInByMail(ada, "ada@app.test")
  await world.signInByMail(bob, "bob@app.test")
  await expect(sessions.endAll(world.auth, userId as never)).rejects.toThrow(/endAll: expected the id of a user/)
  const request = { url: "https://app.test/", headers: { cookie: `${sessionCookie}=${bob.cookie(sessionCookie)}` } }
  await expect(sessions.actAs(world.auth, request, userId as never)).rejects.toThrow(/actAs: expected the id of a user/)
  expect(await ada.session()).toMatchObject({ user: { email: "ada@app.test" } })
  expect(await bob.session()).toMatchObject({ user: { email: "bob@app.test" } })
})
