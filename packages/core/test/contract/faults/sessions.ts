/** What can be wrong with operations on sessions and verification tokens. */
import type { VerificationToken } from "../../../src/types/credential.js"
import type { AdapterSession } from "../../../src/types/session.js"
import { type Fault, faulty } from "./fault.js"

export const sessionFaults: readonly Fault[] = [
  faulty("answers the session of somebody else", ["getSessionAndUser answers both in one call"], (good) => {
    let newest = ""
    return {
      createSession(session) {
        newest = session.sessionToken
        return good.createSession(session)
      },
      getSessionAndUser: async (token) =>
        (await good.getSessionAndUser(token)) ? good.getSessionAndUser(newest) : null,
    }
  }),
  faulty("answers nothing after creating a session", ["createSession answers the session"], (good) => ({
    async createSession(session) {
      await good.createSession(session)
      return undefined as never
    },
  })),
  faulty(
    "hands a planted token to whoever comes last",
    ["createSession refuses a token that is there already"],
    (good) => ({
      async createSession(session) {
        await good.deleteSession(session.sessionToken)
        return good.createSession(session)
      },
    }),
  ),
  faulty("invents a session", ["getSessionAndUser answers null for an unknown token"], () => ({
    getSessionAndUser: (sessionToken) => ({
      session: { sessionToken, userId: "1", expires: new Date() },
      user: { id: "1", email: "", emailVerified: null },
    }),
  })),
  faulty("extends every session of the user", ["updateSession moves the end of that session and no other"], (good) => ({
    async updateSession(patch) {
      const found = await good.getSessionAndUser(patch.sessionToken)
      for (const { sessionToken } of found ? await good.listSessionsByUserId(found.user.id) : []) {
        await good.updateSession({ ...patch, sessionToken })
      }
      return good.updateSession(patch)
    },
  })),
  faulty("throws when the session is gone", ["updateSession of an ended session answers null"], (good) => ({
    async updateSession(patch) {
      const updated = await good.updateSession(patch)
      if (!updated) throw new Error("no row")
      return updated
    },
  })),
  faulty("brings an ended session back", ["updateSession does not bring an ended session back"], (good) => ({
    updateSession: async (patch) =>
      (await good.updateSession(patch)) ?? (patch.userId ? good.createSession(patch as AdapterSession) : null),
  })),
  faulty("ends every session of the user", ["deleteSession ends that session and no other"], (good) => ({
    async deleteSession(token) {
      const found = await good.getSessionAndUser(token)
      if (found) await good.deleteSessionsByUserId(found.user.id)
    },
  })),
  faulty(
    "throws when the session to end is gone",
    ["deleteSession of an unknown token is no error", "many end one session at once without an error"],
    (good) => ({
      async deleteSession(token) {
        const removed = await good.deleteSession(token)
        if (!removed) throw new Error("no row")
        return removed
      },
    }),
  ),
  faulty("ends the newest session only", ["deleteSessionsByUserId ends every session of one user"], (good) => ({
    async deleteSessionsByUserId(userId) {
      const newest = (await good.listSessionsByUserId(userId)).at(-1)
      if (newest) await good.deleteSession(newest.sessionToken)
    },
  })),
  faulty("lists one session", ["listSessionsByUserId answers none, one or many"], (good) => ({
    listSessionsByUserId: async (userId) => (await good.listSessionsByUserId(userId)).slice(0, 1),
  })),
  faulty("lists tokens nobody can end", ["what listSessionsByUserId lists, deleteSession ends"], (good) => ({
    listSessionsByUserId: async (userId) =>
      (await good.listSessionsByUserId(userId)).map((session) => ({ ...session, sessionToken: "hidden" })),
  })),
  faulty(
    "cleans up living rows",
    ["deleteExpired removes what ended before the given time, and says how many"],
    (good) => ({ deleteExpired: () => good.deleteExpired(new Date("2100-01-01T00:00:00Z")) }),
  ),
  faulty("moves the end of past sessions", ["a session that has ended keeps its end or is gone"], (good) => ({
    createSession: (session) =>
      good.createSession({ ...session, expires: new Date(Math.max(session.expires.getTime(), Date.now())) }),
  })),
]

/** Tokens in a list, found by a loose rule. */
function looseTokens(match: (row: VerificationToken, key: { identifier: string; token: string }) => boolean) {
  const rows: VerificationToken[] = []
  return {
    createVerificationToken(row: VerificationToken) {
      rows.push({ ...row })
      return row
    },
    useVerificationToken(key: { identifier: string; token: string }) {
      const index = rows.findIndex((row) => match(row, key))
      return index < 0 ? null : (rows.splice(index, 1)[0] ?? null)
    },
  }
}

export const verificationTokenFaults: readonly Fault[] = [
  faulty("answers true instead of the token", ["useVerificationToken answers the token"], (good) => ({
    useVerificationToken: async (key) => ((await good.useVerificationToken(key)) ? ({} as never) : null),
  })),
  faulty("does not consume", ["a verification token works once"], (good) => ({
    async useVerificationToken(key) {
      const used = await good.useVerificationToken(key)
      if (used) await good.createVerificationToken(used)
      return used
    },
  })),
  faulty(
    "looks at the address only",
    ["a wrong token is refused and the right one still works", "tokens do not cross between addresses"],
    () => looseTokens((row, key) => row.identifier === key.identifier),
  ),
  faulty(
    "looks at the token only",
    ["a right token with another address is refused and still works", "tokens do not cross between addresses"],
    () => looseTokens((row, key) => row.token === key.token),
  ),
  faulty("consumes on a wrong guess", ["a wrong token is refused and the right one still works"], () => {
    const { createVerificationToken, useVerificationToken } = looseTokens(
      (row, key) => row.identifier === key.identifier,
    )
    return {
      createVerificationToken,
      useVerificationToken(key) {
        const row = useVerificationToken(key)
        return row?.token === key.token ? row : null
      },
    }
  }),
  faulty("keeps one token for each address", ["two tokens of one address both work"], () => {
    const rows = new Map<string, VerificationToken>()
    return {
      createVerificationToken(row) {
        rows.set(row.identifier, row)
        return row
      },
      useVerificationToken({ identifier, token }) {
        const row = rows.get(identifier)
        return row?.token === token && rows.delete(identifier) ? row : null
      },
    }
  }),
  faulty("throws for an unknown token", ["useVerificationToken answers null for an unknown token"], (good) => ({
    async useVerificationToken(key) {
      const used = await good.useVerificationToken(key)
      if (!used) throw new Error("no row")
      return used
    },
  })),
]
