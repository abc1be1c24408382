/** The record of a row that is there: found or, for a row from before, made; extended; and the end of all rows that have none. */
import type { Context } from "../context/context.js"
import { isMarkedEnded } from "../ledger/ended.js"
import { readEpoch, writeEpoch } from "../ledger/epoch.js"
import {
  findSession,
  keyOfToken,
  readSession,
  type SessionRecord,
  takeSession,
  writeSession,
} from "../ledger/session.js"
import { secondsAfter, toSeconds } from "../std/time.js"
import type { AdapterSession } from "../types/session.js"
import type { SessionFacts } from "../types/session-facts.js"
import { contentOf } from "./content.js"
import { isActingToken } from "./current-session.js"
import { removeRow, unmarked } from "./database-managed.js"
import { earlierFacts, earlierOf, overallEnd } from "./facts.js"
import { endWhole, ledgerOf } from "./managed.js"

/** What is to happen to a row that is due. */
export type RowExtension =
  | { readonly kind: "until"; readonly until: Date; readonly record: SessionRecord }
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
  return (await writeSession(ledgerOf(context), draft)) ? { kind: "until", until, record } : { kind: "stays" }
}

/**
 * Says whether a row may keep its extension: looks at the record once more, because the session may have ended or got a new
 * token before the row was written. A row whose token was replaced goes back to the end that it was given then.
 */
export async function keepExtension(context: Context, { row, record }: ExtendedRow): Promise<RowExtension["kind"]> {
  const ledger = ledgerOf(context)
  const { sessionToken } = row
  // It is under another key where it was sealed anew meanwhile.
  const now = (await readSession(ledger, record.key)) ?? (await findSession(ledger, sessionToken))
  // Without a mark, whoever made it has taken it back, or all have ended: then it gets no other.
  if (!now && !(await isMarkedEnded(ledger, record.content.facts.id))) return (await extendRow(context, row)).kind
  if (!now) return "ended"
  if (!now.content.isReplaced) return "until"
  await context.settings.store.updateSession({ sessionToken, expires: now.expires })
  return "stays"
}

/** A row as it was before it was extended, and its record. */
export interface ExtendedRow {
  readonly row: AdapterSession
  readonly record: SessionRecord
}

/** Seconds: a column of whole seconds keeps a row beyond the end of its record, by half a second. */
const mostRounded = 2

/** The record of a row. A session from before gets one, unless all of those were ended; then there is none. A session of somebody who acts for a user is never from before. */
export async function recordOfRow(context: Context, row: AdapterSession): Promise<SessionRecord | null> {
  const record = await foundOrMade(context, row)
  return record === undefined ? ((await foundOrMade(context, row)) ?? null) : record
}

/** `undefined`: another request has made the record, and has taken it back because it failed. */
async function foundOrMade(context: Context, row: AdapterSession): Promise<SessionRecord | null | undefined> {
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
  try {
    return await standing(context, { row, seenAt, key, facts, isMade })
  } catch (error) {
    // Nobody knows whether it may stay, and whoever finds it does not look.
    if (isMade) await takeSession(ledger, key).catch(() => false)
    throw error
  }
}

/** A record that was made of a row from before. */
interface MadeRecord {
  readonly row: AdapterSession
  readonly seenAt: number
  readonly key: string
  readonly facts: SessionFacts
  readonly isMade: boolean
}

/** The record of a row as it stands once it is written; `null`: the session ended meanwhile, and the record is taken back; `undefined`: {@link foundOrMade}. */
async function standing(
  context: Context,
  { row, seenAt, key, facts, isMade }: MadeRecord,
): Promise<SessionRecord | null | undefined> {
  const ledger = ledgerOf(context)
  const userId = String(row.userId)
  const written = await findSession(ledger, row.sessionToken)
  // Another request has made it, and looks whether it may stay.
  if (!isMade && written) return written
  // Asked again, because this one or all of them may be ended in between.
  const isThere = (await context.settings.store.getSessionAndUser(row.sessionToken)) !== null
  if (isThere && !(await isEndedEpoch(context, { userId, seenAt, id: facts.id }))) return isMade ? written : undefined
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
  const epoch = { userId, at: now.getTime() / 1000, expires, ...(except !== undefined && { except }) }
  return writeEpoch(ledgerOf(context), epoch)
}
