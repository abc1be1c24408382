/** The record of a session in a sealed cookie, and the copy of it that this process believes in for a while (`staleness`). */
import type { Context } from "../context/context.js"
import { readSession, type SessionDraft, type SessionRecord, takeSession, writeSession } from "../ledger/session.js"
import { ledgerOf } from "./managed.js"
import { mayBeGivenAgain } from "./user-id.js"

/**
 * What is known of a session. Whatever changes or ends the session in this process removes this from the cache; an answer that
 * comes later is written to the removed object, which nobody reads.
 */
interface Known {
  /** How often the store was asked. */
  asked: number
  /** The number of the question that the record is the answer to. */
  answered: number
  record?: SessionRecord
  /** When that was asked, in milliseconds. */
  readAt?: number
}

/** Finds the record of a session; `null`: there is none. `claimed`: the generation of the token. */
export type AskRecord = (context: Context, id: string, claimed?: number) => Promise<SessionRecord | null>

/**
 * The record as the store has it. From then on this answer is believed, unless the answer to a later question came first, or
 * this process has changed or ended the session meanwhile. Until the store answers, what was believed before still is.
 */
export const storedRecord: AskRecord = async (context, id) => {
  const ledger = ledgerOf(context)
  if (stalenessOf(context) === 0) return readSession(ledger, id)
  const known = knownOf(context, id) ?? { asked: 0, answered: 0 }
  context.settings.caches.believed.set(context.settings.records, id, known)
  known.asked++
  const question = known.asked
  const record = await readSession(ledger, id)
  // A session that has ended does not come back, whichever question was answered first.
  if (!record) forgetToken(context, id)
  else if (question > known.answered)
    Object.assign(known, { answered: question, record, readAt: context.now.getTime() })
  return record
}

/**
 * The record, asked for at most once in `staleness` seconds, and again when another process has given the session a new token.
 * That of a user whose id may be given again is asked for each time: the user may be gone, and somebody else may have the id.
 */
export const believedRecord: AskRecord = async (context, id, claimed = 0) => {
  const { now } = context
  const { record, readAt = 0 } = knownOf(context, id) ?? {}
  const isCurrent = record && isYoung(now.getTime() - readAt, stalenessOf(context)) && record.expires > now
  const isBelieved = isCurrent && claimed <= record.content.generation && !mayBeGivenAgain(String(record.userId))
  return isBelieved ? record : storedRecord(context, id)
}

const knownOf = ({ settings }: Context, id: string): Known | undefined =>
  settings.caches.believed.get(settings.records, id) as Known | undefined

/** In milliseconds. */
const stalenessOf = ({ settings }: Context): number => (settings.features.sessions?.staleness ?? 0) * 1000

/** Below 0 the clock was put back, and nobody knows how old it is. */
const isYoung = (age: number, most: number): boolean => age >= 0 && age < most

/** Removes a record from the cache, because this process changes it. */
export function forgetToken({ settings }: Context, id: string): void {
  settings.caches.believed.delete(settings.records, id)
}

/** Removes all records of a user from the cache, and those that are still being asked for: whose they are is not known yet. */
export function forgetTokens({ settings }: Context, userId: string): void {
  settings.caches.believed.sweep((known) => {
    const { record } = known as Known
    return !record || record.userId === userId
  })
}

/**
 * Writes a record. `false`: it was changed or ended meanwhile, and nothing was written. What another request has read before
 * that is no longer believed.
 */
export function writeRecord(context: Context, draft: SessionDraft): Promise<boolean> {
  return writeSession(ledgerOf(context), draft).finally(() => forgetToken(context, draft.key))
}

/** Ends the session of a record. `false`: it had ended. */
export async function endToken(context: Context, id: string): Promise<boolean> {
  forgetToken(context, id)
  // Once more afterwards: another request may have read the record meanwhile.
  return takeSession(ledgerOf(context), id).finally(() => forgetToken(context, id))
}
