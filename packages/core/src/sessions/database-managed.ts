/** Sessions of the database strategy that rest on more than their row: a record beside it, found by a keyed hash of the token. */
import type { Context } from "../context/context.js"
import type { Ledger } from "../ledger/seal.js"
import {
  findSession,
  keyOfToken,
  listSessions,
  readSession,
  type SessionRecord,
  takeSession,
  writeSession,
} from "../ledger/session.js"
import type { Store } from "../ports/store.js"
import { asError } from "../ports/thrown.js"
import { secondsAfter } from "../std/time.js"
import type { AdapterUser } from "../types/identity.js"
import type { AdapterSession } from "../types/session.js"
import { chainOf, contentOf } from "./content.js"
import { endedUnderWay, wereAllEnded } from "./ended-meanwhile.js"
import { earlierOf, factsOf, overallEnd } from "./facts.js"
import { goesOn } from "./going-on.js"
import { type Begun, endWhole, ledgerOf, orLogged, recordsOf, surplusOf, turnOf } from "./managed.js"
import type { Login } from "./strategy.js"

/** A session that begins. */
export interface RowDraft {
  readonly login: Login
  readonly sessionToken: string
  readonly userId: string
  readonly store: Store
  /** The token of the request. */
  readonly before: string | null | undefined
}

/** A session that has a record. */
export interface Recorded {
  readonly expires: Date
  readonly userId: string
  readonly begun: Begun
}

/** Sessions of a user that were ended. */
export interface EndedOf {
  readonly userId: string
  readonly ids: ReadonlySet<string>
  /** Nobody else was ending it at the same moment. */
  readonly isFirst: boolean
}

/** Writes the record of a session that begins, before its row, and says when the session ends. `null`: the one that it goes on from has ended. */
export async function recordRow(context: Context, draft: RowDraft): Promise<Recorded | null> {
  const { settings, now } = context
  const { login, sessionToken, store, before } = draft
  const userId = String(draft.userId)
  const ledger = ledgerOf(context, store)
  const isNext = goesOn(context, login)
  const earlier = (isNext || login.addsAccount) && before ? await findSession(ledger, before) : null
  if (isNext && !earlier) return null
  const facts = factsOf(login, now, earlier?.content.facts)
  const expires = earlierOf(secondsAfter(now, settings.options["session.maxAge"]), overallEnd(settings, facts))
  const key = await keyOfToken(ledger, sessionToken)
  const turn = await turnOf(context, { ledger, userId, facts })
  const follows = isNext && earlier ? chainOf(earlier.content.facts.id, earlier.content) : {}
  const content = {
    ...(await contentOf(context, { facts, login, before: earlier?.content })),
    ...turn,
    ...follows,
    sessionToken,
  }
  await writeSession(ledger, { key, userId, content, expires })
  return { expires, userId, begun: { key, facts } }
}

/** A session that is stored. */
export interface BegunRow {
  readonly store: Store
  /** The token of the session in its browser before it, whose row is gone. */
  readonly previous: string | undefined
  /** It goes on from that one. */
  readonly isNext: boolean
}

/**
 * Ends what is left of the session before one that is stored: nobody loses one for a session that has not begun. In a
 * transaction a failure undoes all of it; otherwise the session goes on, whatever becomes of the one before it. `null`: that had
 * ended; `undefined`: nobody knows.
 */
export async function endPrevious(
  context: Context,
  { store, previous, isNext }: BegunRow,
): Promise<EndedOf | null | undefined> {
  if (previous === undefined) return null
  const step = (): Promise<EndedOf | null> => forgetRow(context, previous, { store, isNext })
  return store === context.settings.store ? orLogged(context.log, step) : step()
}

/**
 * Ends the oldest where there are too many: after the transaction, in which nobody sees who signs in at the same moment. The
 * session goes on, whatever becomes of those. `false`: it has ended itself, because newer ones began at the same moment.
 */
export async function endSurplus(context: Context, { userId, begun }: Recorded): Promise<boolean> {
  const ledger = ledgerOf(context)
  const ended = await orLogged(context.log, async () => {
    const isLiving = async ({ content: { sessionToken } }: SessionRecord): Promise<boolean> =>
      sessionToken === undefined || (await livingRow(context, sessionToken)) !== null
    const named = await surplusOf(context, { ledger, userId, begun, isLiving })
    const { ids, failed } = await endWhole(context, { ledger, named, end: (record) => endRow(context, record) })
    if (failed) unmarked(context, ledger, failed)
    return ids
  })
  return ended?.has(begun.facts.id) !== true
}

/** The row of a token, where its session has not ended. */
export async function livingRow(
  { now, settings }: Context,
  sessionToken: string,
  store: Store = settings.store,
): Promise<AdapterSession | null> {
  const row = await store.getSessionAndUser(sessionToken)
  return row && row.session.expires > now ? { ...row.session, sessionToken } : null
}

/** Sessions have ended without a mark. A transaction that keeps records as well undoes that; otherwise it is logged: what a request gave a new token at that moment may have stayed. */
export function unmarked({ settings, log }: Context, { records }: Ledger, { reason }: PromiseRejectedResult): void {
  if (records !== settings.records) throw reason
  log.error(asError(reason))
}

/** Was a session ended before it could be seen, as before its transaction was committed? Whoever ended it found its record alone. Then its row goes as well. */
export async function isEndedUnseen(context: Context, { begun }: Recorded, sessionToken: string): Promise<boolean> {
  const ended = await orLogged(context.log, async () => {
    if (await readSession(ledgerOf(context), begun.key)) return false
    await removeRow(context.settings.store, sessionToken)
    return true
  })
  return ended === true
}

/** @throws AccessDenied where all sessions of the user were ended while the sign-in was under way: then this one has, too */
export async function expectNotEnded(
  context: Context,
  { userId, begun }: Recorded,
  sessionToken: string,
): Promise<void> {
  if (!(await wereAllEnded(context, userId))) return
  await endRow(context, { key: begun.key, content: { sessionToken } })
  throw endedUnderWay()
}

/**
 * Ends once more what was ended in a transaction: until that was committed, nobody else saw the marks, and a session may have
 * got a new token.
 */
export async function endAgain(context: Context, { userId, ids }: EndedOf): Promise<void> {
  for (const record of await recordsOf(ledgerOf(context), userId, ids)) await endRow(context, record)
}

/** What names the row and the record of a session. */
interface EndedRow extends Pick<SessionRecord, "key"> {
  readonly content: Pick<SessionRecord["content"], "sessionToken">
}

/** Ends the session of a record: what opens it goes first. Says whether the record was there. */
export async function endRow(
  context: Context,
  { key, content }: EndedRow,
  store: Store = context.settings.store,
): Promise<boolean> {
  await removeRow(store, content.sessionToken)
  return takeSession(ledgerOf(context, store), key)
}

/**
 * So many sessions end before others are marked: of a request that is cut off, the next try finds something done. Then twice as many,
 * because each time all are listed again.
 */
const endedFirst = 50

/**
 * Ends the rows of a user: all at once where the adapter can, otherwise those that have a record, with what a request may give
 * them meanwhile. Says how many of these sessions there were. A row without a record, or with one that no secret opens, stays in
 * a store that finds no rows by their user.
 */
export async function endRowsOf(context: Context, { id }: Pick<AdapterUser, "id">, store: Store): Promise<number> {
  const { features, strategy } = context.settings
  if (strategy !== "database") return 0
  if (store.has("deleteSessionsByUserId")) {
    await store.deleteSessionsByUserId(id)
    return 0
  }
  if (!features.sessions) return 0
  const ledger = ledgerOf(context, store)
  const all = await listSessions(ledger, String(id))
  const end = (record: SessionRecord): Promise<boolean> => endRow(context, record, store)
  const ended = new Set<string>()
  for (let begin = 0, count = endedFirst; begin < all.length; begin += count, count *= 2) {
    const named = all.slice(begin, begin + count)
    const { ids, failed } = await endWhole(context, { ledger, named, end })
    if (failed) unmarked(context, ledger, failed)
    for (const one of ids) ended.add(one)
  }
  return ended.size
}

/** Asked for first: some stores fail to delete what is not there. */
export async function removeRow(store: Store, sessionToken: string | undefined): Promise<void> {
  if (sessionToken !== undefined && (await store.getSessionAndUser(sessionToken)))
    await store.deleteSession(sessionToken)
}

/** Ends what is left of a session whose row is gone: its records, and the row under another token that a request may have given it. `null`: it has no record any more, or none that a session goes on from. */
export async function forgetRow(
  context: Context,
  sessionToken: string,
  { store, isNext }: Partial<Pick<BegunRow, "store" | "isNext">> = {},
): Promise<EndedOf | null> {
  const ledger = ledgerOf(context, store)
  const record = await findSession(ledger, sessionToken)
  // A token that another one has replaced is still believed for a moment: a session that goes on from a copy would outlive that one.
  if (!record || (isNext && record.content.isReplaced)) return null
  const taken: boolean[] = []
  const end = async (one: SessionRecord): Promise<unknown> => taken.push(await endRow(context, one, store))
  const { ids, failed } = await endWhole(context, { ledger, named: [record], end })
  if (failed) unmarked(context, ledger, failed)
  return { userId: record.userId ?? "", ids, isFirst: taken.length > 0 && !taken.includes(false) }
}
