/** Two data layers as one: people in one adapter; sessions, links or records in another store. */
import type { Adapter, ExpiredRows } from "../types/adapter.js"
import { recordVerbs } from "../types/records.js"
import {
  attempt,
  type Journal,
  journalled,
  ofAllSessions,
  offered,
  type Parts,
  type SessionStore,
  takeBack,
} from "./parts.js"

/** Every operation, so that what the adapter offers is offered. */
// biome-ignore format: a table, each group of operations stays on one line
const operationNames = [
  "createUser", "getUser", "getUserByEmail", "getUserByAccount", "updateUser", "deleteUser",
  "linkAccount", "unlinkAccount", "getAccount",
  "createSession", "getSessionAndUser", "updateSession", "deleteSession",
  "createVerificationToken", "useVerificationToken",
  "createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId", "updateAuthenticatorCounter",
  "createUserWithAccount", "listAccountsByUserId", "deleteSessionsByUserId", "listSessionsByUserId", "updateAccount", "deleteExpired",
  ...recordVerbs,
] as const satisfies readonly (keyof Adapter)[]

/**
 * Keeps sessions, pending e-mail links, or records in another store than people.
 *
 * A session read is one look-up in each store. A session whose user is gone counts as absent. `deleteUser` ends the
 * sessions first, then removes the user; when that fails, the user stays unchanged. A store of sessions without
 * `deleteSessionsByUserId` keeps them: they count as absent, as long as no id is given out again.
 *
 * `transaction` is offered where `adapter` offers it: when it rolls back, what was done in the other stores is taken
 * back, too, attempts that were counted apart. When the process dies in the middle, what may stay behind are a session whose token no browser has, a used
 * link, or a session that has ended early; never a session of another user.
 *
 * @example
 * ```ts
 * import { combine } from "@latchkey/core/adapters"
 * import { redisAdapter } from "@latchkey/redis-adapter"
 * import { sqlAdapter } from "@latchkey/sql-adapter"
 *
 * const redis = redisAdapter({ url: "redis://localhost:6379" })
 * export const adapter = combine(sqlAdapter({ filename: "app.db" }), { sessions: redis, verificationTokens: redis })
 * ```
 *
 * @param adapter keeps everything else; needs `getUser` when sessions are kept elsewhere
 * @throws TypeError when a store lacks an operation its part needs
 */
export function combine(adapter: Adapter, parts: Parts): Adapter {
  mustOffer("sessions", parts.sessions, "createSession", "getSession", "updateSession", "deleteSession")
  mustOffer("verificationTokens", parts.verificationTokens, "createVerificationToken", "useVerificationToken")
  mustOffer("records", parts.records, ...recordVerbs)
  if (parts.sessions) mustOffer("people", adapter, "getUser")
  return assemble({ adapter, parts })
}

/** An adapter, what is kept beside it, and what is noted where this is inside a transaction. */
interface Split {
  readonly adapter: Adapter
  readonly parts: Parts
  readonly journal?: Journal
}

function mustOffer(part: string, store: object | undefined, ...operations: readonly string[]): void {
  if (store === undefined) return
  const offered = store as Readonly<Record<string, unknown>>
  const missing = operations.filter((operation) => typeof offered[operation] !== "function")
  if (missing.length > 0) throw new TypeError(`combine: the store for ${part} lacks ${missing.join(", ")}.`)
}

function assemble(split: Split): Adapter {
  const { adapter, parts } = split
  const { sessions, verificationTokens, records } = parts
  return {
    // Of sessions kept elsewhere the adapter knows nothing.
    ...offered(
      adapter,
      operationNames.filter((name) => !sessions || !(ofAllSessions as readonly string[]).includes(name)),
    ),
    ...(adapter.emptyEmail !== undefined && { emptyEmail: adapter.emptyEmail }),
    ...(adapter.comparesExactly !== undefined && { comparesExactly: adapter.comparesExactly }),
    ...(sessions && sessionOperations(split, sessions)),
    ...(verificationTokens && {
      createVerificationToken: (token) => verificationTokens.createVerificationToken(token),
      useVerificationToken: (key) => verificationTokens.useVerificationToken(key),
    }),
    ...(records && offered(records, recordVerbs)),
    ...cleaning(adapter, parts),
    ...checking(adapter, parts),
    ...(adapter.transaction && { transaction: (work) => runTransaction(split, work) }),
  }
}

function sessionOperations({ adapter, journal }: Split, sessions: SessionStore): Adapter {
  const endAll = async (userId: string): Promise<unknown> => sessions.deleteSessionsByUserId?.(userId)
  return {
    ...offered(sessions, ofAllSessions),
    async createSession(session) {
      const created = await sessions.createSession(session)
      try {
        if (await adapter.getUser?.(session.userId)) return created
      } catch (error) {
        await attempt(() => sessions.deleteSession(session.sessionToken))
        throw error
      }
      await attempt(() => sessions.deleteSession(session.sessionToken))
      throw new Error("There is no user with this id.")
    },
    async getSessionAndUser(sessionToken) {
      const session = await sessions.getSession(sessionToken)
      const user = session && (await adapter.getUser?.(session.userId))
      return session && user ? { session, user } : null
    },
    updateSession: (patch) => sessions.updateSession(patch),
    deleteSession: (sessionToken) => sessions.deleteSession(sessionToken),
    ...(adapter.deleteUser && {
      async deleteUser(userId: string) {
        // Ids may be given out again: no session may be left for the next user of one.
        await endAll(userId)
        const removed = await adapter.deleteUser?.(userId)
        // What began meanwhile; inside a transaction, once the user is gone for everybody.
        if (journal) journal.afterwards.push(() => endAll(userId))
        else await endAll(userId)
        return removed
      },
    }),
  }
}

/** What the command line asks each store for, about its tables or the settings of its server. */
function checking(adapter: Adapter, { sessions, verificationTokens, records }: Parts): object {
  const stores = [...new Set<object | undefined>([adapter, sessions, verificationTokens, records])]
  const checks = stores.filter((store): store is { check(): unknown } => store !== undefined && "check" in store)
  return checks.length === 0 ? {} : { check: () => Promise.all(checks.map((store) => store.check())) }
}

/** Every store cleans up; rows from before the parts were split are among them. */
function cleaning(adapter: Adapter, { sessions, verificationTokens, records }: Parts): Adapter {
  const stores = [...new Set([adapter, sessions, verificationTokens, records])].filter((store) => store?.deleteExpired)
  if (stores.length === 0) return {}
  return {
    async deleteExpired(now, { onProgress } = {}) {
      const removed: Readonly<ExpiredRows>[] = stores.map(() => ({ sessions: 0, verificationTokens: 0 }))
      const total = (): ExpiredRows => ({
        sessions: removed.reduce((sum, { sessions }) => sum + sessions, 0),
        verificationTokens: removed.reduce((sum, { verificationTokens }) => sum + verificationTokens, 0),
        ...(removed.some(({ records }) => records !== undefined) && {
          records: removed.reduce((sum, { records = 0 }) => sum + records, 0),
        }),
      })
      await Promise.all(
        stores.map(async (store, index) => {
          const report = (counts: Readonly<ExpiredRows>): void => {
            removed[index] = counts
            onProgress?.(total())
          }
          const counts = await store?.deleteExpired?.(now, { onProgress: report })
          if (counts) removed[index] = counts
        }),
      )
      return total()
    },
  }
}

/** The adapter may run the work again after a conflict: what the earlier run did in the other stores is undone first. */
async function runTransaction<T>(split: Split, work: (adapter: Adapter) => Promise<T>): Promise<T> {
  const { adapter, parts } = split
  const journal: Journal = { undos: [], afterwards: [] }
  const run = async (inner: Adapter): Promise<T> => {
    await takeBack(journal)
    journal.afterwards.length = 0
    return work(assemble({ adapter: inner, parts: journalled(parts, journal), journal }))
  }
  let result: T
  try {
    result = await (adapter as Required<Adapter>).transaction(run)
  } catch (error) {
    await takeBack(journal)
    throw error
  }
  // Inside another transaction nothing is committed yet.
  if (split.journal) split.journal.afterwards.push(...journal.afterwards)
  // The commit succeeded, so the users are gone; a failure to end their sessions cannot undo that.
  else for (const step of journal.afterwards) await attempt(step)
  return result
}
