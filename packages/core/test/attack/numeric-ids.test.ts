/** A store whose ids are numbers, as of a table with a serial key: the application hands on what its store gave it. */
import { describe, expect, it } from "vitest"
import type { Adapter } from "../../src/adapters.js"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { makeWorld } from "../support/world.js"

const asText = <T extends { readonly userId?: unknown; readonly id?: unknown }>(row: T): T =>
  ({ ...row, ...("userId" in row && { userId: String(row.userId) }), ...("id" in row && { id: String(row.id) }) }) as T

const asNumber = <T extends { readonly id: string }>(user: T | null): T | null =>
  user && { ...user, id: Number(user.id) as unknown as string }

function numbering(): Adapter {
  const { transaction: _, createUserWithAccount: __, ...store } = memoryAdapter()
  let last = 6
  return {
    ...store,
    createUser: async (user) => asNumber(await store.createUser({ ...user, id: String(++last) })) as never,
    getUser: async (id) => asNumber(await store.getUser(String(id))),
    getUserByEmail: async (email) => asNumber(await store.getUserByEmail(email)),
    getUserByAccount: async (key) => asNumber(await store.getUserByAccount(key)),
    updateUser: async (user) => asNumber(await store.updateUser(asText(user))) as never,
    linkAccount: (account) => store.linkAccount(asText(account)),
    createSession: (session) => store.createSession(asText(session)),
    deleteSessionsByUserId: (id) => store.deleteSessionsByUserId(String(id)),
    listAccountsByUserId: (id) => store.listAccountsByUserId(String(id)),
  }
}

describe.each(["jwt", "database"] as const)("%s strategy", (strategy) => {
  it("ends all sessions of a user by the number that the store gave", { tags: ["threat:SF-08"] }, async () => {
    const adapter = numbering()
    const sessions = managedSessions()
    const world = await makeWorld({ strategy, adapter, config: { features: [sessions] } })
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    const user = await adapter.getUserByEmail?.("ada@app.test")
    expect([typeof user?.id, await browser.session()]).toEqual(["number", expect.anything()])
    expect(await sessions.endAll(world.auth, user?.id ?? "")).toEqual({ ended: 1 })
    expect(await browser.session()).toBeNull()
  })
})
