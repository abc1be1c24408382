/** The record of a session in a sealed cookie, and the copy of it that this process believes in for a while (`staleness`). */
import type { Context } from "../context/context.js"
import { readSession, type SessionDraft, type SessionRecord, takeSession, writeSession } from "../ledger/session.js"
import { mayBeGivenAgain } from "../std/user-id.js"
import { ledgerOf } from "./managed.js"

/** A record in the cache, and when it was read, in milliseconds. Without a record it is being asked for, or there is none. */
interface Believed {
  readonly record?: SessionRecord | null
  readonly readAt?: number
}

/** A request asks for the record of a session. `claimed`: the number of its token. */
export type AskRecord = (context: Context, id: string, claimed?: number) => Promise<SessionRecord | null>

/** The record as the store has it. What is believed of it from now on is this answer, unless this process changes or ends the session meanwhile. */
export const storedRecord: AskRecord = async (context, id) => {
  const { settings, now } = context
  const { believed } = settings.caches
  const ledger = ledgerOf(context)
  if (stalenessOf(context) === 0) return readSession(ledger, id)
  const asking: Believed = {}
  believed.set(settings.records, id, asking)
  const record = await readSession(ledger, id)
  const answer: Believed = { record, readAt: now.getTime() }
  if (believed.get(settings.records, id) === asking) believed.set(settings.records, id, answer)
  return record
}

/**
 * The record, asked for at most once in `staleness` seconds, and again when another process has given the session a token since.
 * One of a user whose id may be given again is asked for each time: the user may be gone, and somebody else have the id.
 */
export const believedRecord: AskRecord = async (context, id, claimed = 0) => {
  const { settings, now } = context
  const known = settings.caches.believed.get(settings.records, id) as Believed | undefined
  const age = now.getTime() - (known?.readAt ?? Number.NEGATIVE_INFINITY)
  const isCurrent = known?.record && isYoung(age, stalenessOf(context)) && known.record.expires > now
  const isTheirs = isCurrent && !mayBeGivenAgain(String(known.record.userId))
  if (isTheirs && claimed <= known.record.content.generation) return known.record
  return storedRecord(context, id)
}

/** In milliseconds. */
const stalenessOf = ({ settings }: Context): number => (settings.features.sessions?.staleness ?? 0) * 1000

/** Below 0 the clock was put back, and nobody knows how old it is. */
const isYoung = (age: number, most: number): boolean => age >= 0 && age < most

/** Removes a record from the cache, because this process changes it. */
export function forgetToken({ settings }: Context, id: string): void {
  settings.caches.believed.delete(settings.records, id)
}

/** Writes a record. `false`: it was changed or ended meanwhile, and nothing was written. What another request has read until then is not believed. */
export function writeRecord(context: Context, draft: SessionDraft): Promise<boolean> {
  return writeSession(ledgerOf(context), draft).finally(() => forgetToken(context, draft.key))
}

/** Ends the session of a record. `false`: it had ended. */
export async function endToken(context: Context, id: string): Promise<boolean> {
  forgetToken(context, id)
  // Once more afterwards: another request may have read the record meanwhile.
  return takeSession(ledgerOf(context), id).finally(() => forgetToken(context, id))
}
