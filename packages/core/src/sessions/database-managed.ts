/** Sessions of the database strategy that rest on more than their row: a record beside it, found by a keyed hash of the token. */
import type { Context } from "../context/context.js"
import type { Ledger } from "../ledger/seal.js"
import {
  findSession,
  keyOfToken,
  readEpoch,
  readSession,
  type SessionRecord,
  takeSession,
  writeEpoch,
  writeSession,
} from "../ledger/session.js"
import type { Store } from "../ports/store.js"
import { asError } from "../ports/thrown.js"
import { secondsAfter, toSeconds } from "../std/time.js"
import type { AdapterSession } from "../types/session.js"
import type { SessionFacts } from "../types/session-facts.js"
import { isActingToken } from "./current-session.js"
import { earlierFacts, earlierOf, factsOf, overallEnd } from "./facts.js"
import { type Begun, contentOf, endWhole, ledgerOf, orLogged, recordsOf, surplusOf, turnOf } from "./managed.js"
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
}

/** Writes the record of a session that begins, before its row, and says when the session ends. */
export async function recordRow(context: Context, draft: RowDraft): Promise<Recorded> {
  const { settings, now } = context
  const { login, sessionToken, store, before } = draft
  const userId = String(draft.userId)
  const ledger = ledgerOf(context, store)
  const earlier = login.addsAccount && before ? await findSession(ledger, before) : null
  const facts = factsOf(login, now, earlier?.content.facts)
  const expires = earlierOf(secondsAfter(now, settings.options["session.maxAge"]), overallEnd(settings, facts))
  const key = await keyOfToken(ledger, sessionToken)
  const turn = await turnOf(context, { ledger, userId, facts })
  const content = { ...(await contentOf(context, { facts, login })), ...turn, sessionToken }
  await writeSession(ledger, { key, userId, content, expires })
  return { expires, userId, begun: { key, facts } }
}

/** A session that is stored. */
export interface BegunRow {
  readonly store: Store
  /** The token of the session in its browser before it, whose row is gone. */
  readonly previous: string | undefined
}

/**
 * Ends what is left of the session before one that is stored: nobody loses one for a session that has not begun. In a
 * transaction a failure undoes all of it; otherwise the session goes on, whatever becomes of the one before it.
 */
export async function endPrevious(context: Context, { store, previous }: BegunRow): Promise<EndedOf | undefined> {
  if (previous === undefined) return undefined
  const step = (): Promise<EndedOf | undefined> => forgetRow(context, previous, store)
  return store === context.settings.store ? orLogged(context.log, step) : step()
}

/**
 * Ends the oldest where there are too many: after the transaction, in which nobody sees who signs in at the same moment. The
 * session goes on, whatever becomes of those. `false`: it has ended itself, because newer ones began at the same moment.
 */
export async function endSurplus(context: Context, { userId, begun }: Recorded): Promise<boolean> {
  const ledger = ledgerOf(context)
  const ended = await orLogged(context.log, async () => {
    const named = await surplusOf(context, { ledger, userId, begun })
    const { ids, failed } = await endWhole(context, { ledger, named, end: (record) => endRow(context, record) })
    if (failed) unmarked(context, ledger, failed)
    return ids
  })
  return ended?.has(begun.facts.id) !== true
}

/** Sessions have ended without a mark. A transaction that keeps records as well undoes that; otherwise it is logged: what a request gave a new token at that moment may have stayed. */
function unmarked({ settings, log }: Context, { records }: Ledger, { reason }: PromiseRejectedResult): void {
  if (records !== settings.records) throw reason
  log.error(asError(reason))
}

/**
 * Ends once more what was ended in a transaction: until that was committed, nobody else saw the marks, and a session may have
 * got a new token.
 */
export async function endAgain(context: Context, { userId, ids }: EndedOf): Promise<void> {
  if (ids.size === 0) return
  for (const record of await recordsOf(ledgerOf(context), userId, ids)) await endRow(context, record)
}

/** Ends the session of a record: what opens it goes first. */
export async function endRow(
  context: Context,
  { key, content }: SessionRecord,
  store: Store = context.settings.store,
): Promise<void> {
  await removeRow(store, content.sessionToken)
  await takeSession(ledgerOf(context, store), key)
}

/** Asked for first: some stores fail to delete what is not there. */
export async function removeRow(store: Store, sessionToken: string | undefined): Promise<void> {
  if (sessionToken !== undefined && (await store.getSessionAndUser(sessionToken)))
    await store.deleteSession(sessionToken)
}

/** Ends what is left of a session whose row is gone: its records, and the row under another token that a request may have given it. */
export async function forgetRow(context: Context, sessionToken: string, store?: Store): Promise<EndedOf | undefined> {
  const ledger = ledgerOf(context, store)
  const record = await findSession(ledger, sessionToken)
  if (!record) return undefined
  const end = (one: SessionRecord): Promise<void> => endRow(context, one, store)
  const { ids, failed } = await endWhole(context, { ledger, named: [record], end })
  if (failed) unmarked(context, ledger, failed)
  return { userId: record.userId ?? "", ids }
}

/** What is to happen to a row that is due. */
export type RowExtension =
  | { readonly kind: "until"; readonly until: Date; readonly key: string }
  /** It is as far extended as it may be, or another request is extending it. */
  | { readonly kind: "stays" }
  | { readonly kind: "ended" }

/** Extends the record of a row that is due; a session from before gets one. */
export async function extendRow(context: Context, row: AdapterSession): Promise<RowExtension> {
  const { settings, now } = context
  const record = await recordOfRow(context, row)
  if (!record) return { kind: "ended" }
  const { content } = record
  if (content.isReplaced) return { kind: "stays" }
  const until = earlierOf(secondsAfter(now, settings.options["session.maxAge"]), overallEnd(settings, content.facts))
  if (until <= now) return { kind: "ended" }
  if (until <= row.expires) return { kind: "stays" }
  const draft = { ...record, content: { ...content, seenAt: toSeconds(now) }, expires: until }
  return (await writeSession(ledgerOf(context), draft)) ? { kind: "until", until, key: record.key } : { kind: "stays" }
}

/**
 * Says whether a row may keep its extension: looks at the record once more, because the session may have ended or got a new
 * token before the row was written. A row whose token was replaced goes back to the end that it was given then.
 */
export async function keepExtension(
  context: Context,
  { sessionToken, key }: ExtendedRow,
): Promise<RowExtension["kind"]> {
  const ledger = ledgerOf(context)
  // It is under another key where it was sealed anew meanwhile.
  const record = (await readSession(ledger, key)) ?? (await findSession(ledger, sessionToken))
  if (!record) return "ended"
  if (!record.content.isReplaced) return "until"
  await context.settings.store.updateSession({ sessionToken, expires: record.expires })
  return "stays"
}

/** A row that was extended, and the key of its record. */
export interface ExtendedRow {
  readonly sessionToken: string
  readonly key: string
}

/** Seconds: a column of whole seconds keeps a row beyond the end of its record, by half a second. */
const mostRounded = 2

/** The record of a row. A session from before gets one, unless all of those were ended; then there is none. A session of somebody who acts for a user is never from before. */
export async function recordOfRow(context: Context, row: AdapterSession): Promise<SessionRecord | null> {
  const { settings } = context
  const ledger = ledgerOf(context)
  const record = await findSession(ledger, row.sessionToken)
  if (record) return record
  if (isActingToken(row.sessionToken)) return null
  // Its record may have just ended: one from before that is not extended until now ends as well, a moment early.
  if (row.expires <= secondsAfter(context.now, mostRounded)) return null
  const userId = String(row.userId)
  // A row says when it was extended last, and nothing of its beginning.
  const seenAt = toSeconds(secondsAfter(row.expires, -settings.options["session.maxAge"]))
  // Whoever ended all others with this row has made its record before that.
  if (await isEndedEpoch(context, { userId, seenAt })) return findSession(ledger, row.sessionToken)
  const facts = earlierFacts(seenAt)
  const content = { ...(await contentOf(context, { facts })), seenAt, sessionToken: row.sessionToken }
  const key = await keyOfToken(ledger, row.sessionToken)
  const isMade = await writeSession(ledger, { key, userId, content, expires: row.expires })
  const written = await findSession(ledger, row.sessionToken)
  // Another request has made it, and looks whether it may stay.
  if (!isMade && written) return written
  // Asked again, because this one or all of them may be ended in between.
  const isThere = (await settings.store.getSessionAndUser(row.sessionToken)) !== null
  if (isThere && !(await isEndedEpoch(context, { userId, seenAt, id: facts.id }))) return written
  await takeSession(ledger, key)
  if (written) await endFurther(context, written)
  return null
}

/**
 * Ends what other requests have made of a record that is taken back. Records go first: a row without one opens nothing once it
 * is due, and a table may keep rows because others refer to them.
 */
async function endFurther(context: Context, taken: SessionRecord): Promise<void> {
  const ledger = ledgerOf(context)
  const end = async ({ key, content }: SessionRecord): Promise<void> => {
    await takeSession(ledger, key)
    await removeRow(context.settings.store, content.sessionToken)
  }
  const { failed } = await endWhole(context, { ledger, named: [taken], end })
  if (failed) unmarked(context, ledger, failed)
}

/** Rows of a user that have no record. */
interface EarlierRow {
  readonly userId: string
  readonly seenAt: number
  /** The id in the record that was just made of it. */
  readonly id?: string
}

async function isEndedEpoch(context: Context, { userId, seenAt, id }: EarlierRow): Promise<boolean> {
  const epoch = await readEpoch(ledgerOf(context), userId)
  return epoch !== undefined && seenAt <= epoch.at && (id === undefined || epoch.except !== id)
}

/**
 * Ends all rows of a user that have no record, at once where the adapter can, else each when it is due to be extended.
 * `except`: the session that ends them.
 */
export function endEarlierRows(context: Context, userId: string, except?: SessionFacts): Promise<void> {
  const { settings, now } = context
  const expires = secondsAfter(now, settings.options["session.maxAge"])
  const epoch = { userId, at: toSeconds(now), expires, ...(except !== undefined && { except }) }
  return writeEpoch(ledgerOf(context), epoch)
}
