/** Stores that keep a part of the data beside an adapter, and the same stores with an undo log. */
import type { Adapter } from "../types/adapter.js"
import type { Awaitable } from "../types/identity.js"
import { type RecordStore, recordVerbs } from "../types/records.js"
import type { AdapterSession } from "../types/session.js"

/** Keeps sessions of users it need not know. */
export interface SessionStore
  extends Required<Pick<Adapter, "createSession" | "updateSession" | "deleteSession">>,
    Pick<Adapter, "deleteSessionsByUserId" | "listSessionsByUserId" | "deleteExpired"> {
  /** The session alone, or `null`; its user is looked up elsewhere. */
  getSession(sessionToken: string): Awaitable<AdapterSession | null>
}

/** Keeps pending e-mail links. */
export interface VerificationTokenStore
  extends Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken">>,
    Pick<Adapter, "deleteExpired"> {}

/** Keeps records of users it need not know. */
export interface RecordPart extends RecordStore, Pick<Adapter, "deleteExpired"> {}

/** What is kept elsewhere. */
export interface Parts {
  /** The store of sessions. @default the adapter */
  readonly sessions?: SessionStore | undefined
  /** The store of pending e-mail links. @default the adapter */
  readonly verificationTokens?: VerificationTokenStore | undefined
  /** The store of records. @default the adapter */
  readonly records?: RecordPart | undefined
}

/** What was done in stores that know nothing of the transaction around them. */
export interface Journal {
  /** How to take back one step. */
  readonly undos: (() => Awaitable<unknown>)[]
  /** What is to be done once the transaction has been written. */
  readonly afterwards: (() => Awaitable<unknown>)[]
}

/** Runs all undo steps, the last one first. A step that fails does not stop the others. */
export async function takeBack({ undos }: Journal): Promise<void> {
  for (let undo = undos.pop(); undo; undo = undos.pop()) await attempt(undo)
}

/** The first error is the cause; an error while undoing must not hide it. */
export async function attempt(work: () => Awaitable<unknown>): Promise<void> {
  try {
    await work()
  } catch {
    // What is left behind are rows that expire.
  }
}

/** The same stores, with an undo step noted for each write. Ending all sessions of a user is not undone: the user signs in again. */
export function journalled({ sessions, verificationTokens, records }: Parts, { undos }: Journal): Parts {
  return {
    records: records && journalledRecords(records, undos),
    sessions: sessions && journalledSessions(sessions, undos),
    verificationTokens: verificationTokens && journalledTokens(verificationTokens, undos),
  }
}

function journalledSessions(store: SessionStore, undos: Journal["undos"]): SessionStore {
  return {
    ...offered(store, [...ofAllSessions, "deleteExpired"]),
    getSession: (sessionToken) => store.getSession(sessionToken),
    async createSession(session) {
      // Noted first: a call that fails may have written.
      undos.push(() => store.deleteSession(session.sessionToken))
      return store.createSession(session)
    },
    async updateSession(patch) {
      const before = await store.getSession(patch.sessionToken)
      if (before) undos.push(() => store.updateSession(before))
      return store.updateSession(patch)
    },
    async deleteSession(sessionToken) {
      const before = await store.getSession(sessionToken)
      if (before) undos.push(() => store.createSession(before))
      return store.deleteSession(sessionToken)
    },
  }
}

function journalledTokens(store: VerificationTokenStore, undos: Journal["undos"]): VerificationTokenStore {
  return {
    ...offered(store, ["deleteExpired"]),
    async createVerificationToken(token) {
      const { identifier } = token
      const created = await store.createVerificationToken(token)
      // Not before: a call that fails because the row is there already has written nothing, and the row is another's.
      undos.push(() => store.useVerificationToken({ identifier, token: token.token }))
      return created
    },
    async useVerificationToken(key) {
      const row = await store.useVerificationToken(key)
      if (row) undos.push(() => store.createVerificationToken(row))
      return row
    },
  }
}

const longAgo = (): Date => new Date(0)

/**
 * A write is undone by its version, so that a later change by somebody else stays. Attempts stay counted, and what
 * `deleteRecords` removed stays removed.
 */
function journalledRecords(store: RecordPart, undos: Journal["undos"]): RecordPart {
  return {
    // `combine` has checked that the store has every verb.
    ...(offered(store, [...recordVerbs, "deleteExpired"]) as RecordPart),
    async putRecord(record, given) {
      const { kind, key, version } = record
      const before = given.expected === 0 ? null : await store.getRecord({ kind, key })
      // A record that has ended counts as absent.
      const earlier = before?.version === given.expected ? before : { ...record, expires: longAgo() }
      // Noted first: a call that fails may have written.
      undos.push(() => store.putRecord(earlier, { expected: version, now: longAgo() }))
      return store.putRecord(record, given)
    },
    async takeRecord(key) {
      const row = await store.takeRecord(key)
      if (row) undos.push(() => store.putRecord(row, { expected: 0, now: longAgo() }))
      return row
    },
  }
}

/** Optional operations on all sessions of a user. */
export const ofAllSessions = ["deleteSessionsByUserId", "listSessionsByUserId"] as const

/** The operations that a store offers. They are looked up at each call and called on the store itself, so that classes work. */
export function offered<Name extends keyof Adapter>(
  store: Pick<Adapter, Name>,
  names: readonly Name[],
): Pick<Adapter, Name> {
  const present = names.filter((name) => typeof store[name] === "function")
  const operations = present.map((name) => [name, (...args: unknown[]) => (store[name] as Operation)(...args)])
  return Object.fromEntries(operations)
}

type Operation = (...args: unknown[]) => unknown
