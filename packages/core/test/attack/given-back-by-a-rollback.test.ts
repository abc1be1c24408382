/** Sessions in a store that knows nothing of transactions: what is given back when one fails must not be a session that has ended. */
import { describe, expect, it } from "vitest"
import { combine, type SessionStore } from "../../src/adapters.js"
import { memoryAdapter } from "../../src/memory.js"
import type { AdapterSession } from "../../src/types/session.js"
import { theft } from "../support/ending.js"
import { sessionCookie } from "../support/journeys.js"

/** Sessions elsewhere, and what happens right after one was removed. */
function sessionsElsewhere() {
  const rows = new Map<string, AdapterSession>()
  const moments: { removed?: ((token: string) => Promise<void>) | undefined } = {}
  const sessions: SessionStore = {
    getSession: async (token) => rows.get(token) ?? null,
    async createSession(session) {
      rows.set(session.sessionToken, session)
      return session
    },
    async updateSession(patch) {
      const row = rows.get(patch.sessionToken)
      if (!row) return null
      const updated = { ...row, ...patch }
      rows.set(patch.sessionToken, updated)
      return updated
    },
    async deleteSession(token) {
      rows.delete(token)
      await moments.removed?.(token)
    },
    async deleteSessionsByUserId(userId) {
      for (const [token, row] of rows) if (row.userId === userId) rows.delete(token)
    },
  }
  return { rows, moments, sessions }
}

describe("a session that ends while an account is added to it", () => {
  // The others wait for a transaction of the memory adapter, which has one at a time.
  it.each(["endAll", "signing out"] as const)(
    "stays ended by %s, though its row is given back",
    { tags: ["threat:SF-08"] },
    async (how) => {
      const { rows, moments, sessions } = sessionsElsewhere()
      const adapter = combine(memoryAdapter(), { sessions, records: memoryAdapter() })
      const { world, thief, end, ownerOfAccount } = await theft({ strategy: "database", adapter })
      const stolen = thief.cookie(sessionCookie) ?? ""
      moments.removed = async (token) => {
        if (token !== stolen) return
        moments.removed = undefined
        await end(how)
      }
      await world.signInAtOp(thief)
      const copy = world.browser()
      copy.setCookie(sessionCookie, stolen)
      expect([await ownerOfAccount(), rows.has(stolen), await copy.session()]).toEqual([undefined, false, null])
    },
  )
})
