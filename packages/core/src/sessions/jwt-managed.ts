/** Sessions of the jwt strategy that rest on more than their token: its facts, and with managed sessions a record without which the token opens nothing. */
import type { Context } from "../context/context.js"
import { readSession, type SessionRecord } from "../ledger/session.js"
import { asError } from "../ports/thrown.js"
import { secondsAfter, toSeconds } from "../std/time.js"
import type { SessionFacts } from "../types/session-facts.js"
import type { JWT } from "../types/token.js"
import { isActorGone } from "./actor.js"
import { earlierOf, idsOf, overallEnd } from "./facts.js"
import { opensAlone, readClaim } from "./facts-claim.js"
import { asRecorded, factsOfEarlier, isEndedEarlier, isNamed } from "./jwt-earlier.js"
import { type AskRecord, believedRecord, endToken, storedRecord } from "./jwt-record.js"
import { failureOf, isFromBefore, ledgerOf, markSession } from "./managed.js"

/** What the session of a token rests on. */
export interface TokenSession {
  readonly facts: SessionFacts
  /** `undefined`: sessions are not managed, or this one is from before they were. */
  readonly record: SessionRecord | undefined
  /** The session has a newer token: this one is believed a little longer, and changes nothing any more, except that it signs out. */
  readonly isReplaced: boolean
  /** Each request derives another id for it, so that no request would find a mark under that id. */
  readonly isUnnamed?: true
}

/** A token whose session has not ended. */
export interface LiveToken {
  readonly claims: JWT
  readonly session: TokenSession
}

/**
 * What the token of a request rests on; `null`: the session has ended. For configurations that keep facts. Always asks the
 * store, whatever `staleness` says: nothing may be changed with a session that has ended.
 * @throws AdapterError when the records cannot be asked.
 */
export async function sessionOfToken(context: Context, claims: JWT): Promise<TokenSession | null> {
  const session = await sessionBy(context, claims, storedRecord)
  if (!session || session.record || !context.settings.features.sessions) return session
  // A token that opens its session without a record. Where it is only read, it does so also when there is a newer one.
  return { ...session, isReplaced: await hasNewerToken(context, session.facts) }
}

/** The same for requests that only read: the record is believed for `staleness` seconds. */
export function believedSession(context: Context, claims: JWT): Promise<TokenSession | null> {
  return sessionBy(context, claims, believedRecord)
}

async function sessionBy(context: Context, claims: JWT, recordOf: AskRecord): Promise<TokenSession | null> {
  const { settings, now } = context
  const claim = readClaim(claims["lk"])
  const facts = claim.facts ?? (await factsOfEarlier(context, claims))
  const end = overallEnd(settings, facts)
  if (end && end <= now) return null
  if (!settings.features.sessions) return { facts, record: undefined, isReplaced: false }
  if (opensAlone(claim)) {
    const recorded = await asRecorded(context, facts)
    if (await isEndedEarlier(context, claims, recorded)) return null
    const unnamed = !isNamed(claims) && ({ isUnnamed: true } as const)
    return { facts: recorded, record: undefined, isReplaced: false, ...unnamed }
  }
  const record = await recordOf(context, facts.id, claim.generation)
  if (!record) return null
  // Where nobody acts, a read waits for nothing more.
  if (record.content.facts.actor !== undefined && (await isActorGone(context, record.content))) return null
  if (claim.generation === record.content.generation) return { facts: record.content.facts, record, isReplaced: false }
  return isBelieved(context, record, claim.generation) ? { facts, record, isReplaced: true } : null
}

/** Has the session of a token that opens it without a record been given a new one? */
async function hasNewerToken(context: Context, { id }: SessionFacts): Promise<boolean> {
  const record = await readSession(ledgerOf(context), id)
  return record !== null && record.content.generation > 0
}

/** Is this the token before the present one, and that one new? */
function isBelieved({ now }: Context, { content }: SessionRecord, claimed = 0): boolean {
  const { generation, graceUntil = 0 } = content
  return claimed === generation - 1 && toSeconds(now) < graceUntil
}

/**
 * The session of a token that could not be extended, as it is now: `null` where it has ended. Where `isReplaced` is false, the
 * token is not believed any more, though the session goes on with another one.
 */
export async function sessionBeyond(context: Context, { session, claims }: LiveToken): Promise<TokenSession | null> {
  const record = await readSession(ledgerOf(context), session.facts.id)
  if (!record) return null
  const claim = readClaim(claims["lk"])
  const isOver = opensAlone(claim) && (await isEndedEarlier(context, claims, session.facts))
  return { facts: session.facts, record, isReplaced: !isOver && isBelieved(context, record, claim.generation) }
}

/** What came of ending a session. */
export interface EndedSession {
  /** Why a sealed cookie from before could not be marked: it may open the session again. */
  readonly unmarked: PromiseRejectedResult | undefined
  /** Its record was there, so nobody else has ended it. */
  readonly isFirst: boolean
}

/** Ends a session with all that opens it: a sealed cookie from before sessions were managed needs no record. */
export async function endSession(
  context: Context,
  { facts, record, isUnnamed }: Omit<TokenSession, "isReplaced">,
): Promise<EndedSession> {
  const isMarked = !isUnnamed && isFromBefore(record?.content ?? { facts })
  const unmarked = isMarked ? await failureOf(markSession(context, ledgerOf(context), facts)) : undefined
  let isFirst = false
  for (const id of idsOf(facts)) isFirst = (await endRecord(context, id)) || isFirst
  return { unmarked, isFirst }
}

/** Where there is no record, none has to be removed: one that is made now finds the mark. `false`: there was none. */
async function endRecord(context: Context, id: string): Promise<boolean> {
  const [outcome] = await Promise.allSettled([endToken(context, id)])
  if (outcome.status === "fulfilled") return outcome.value
  const isGone = await readSession(ledgerOf(context), id).then(
    (record) => record === null,
    () => false,
  )
  if (!isGone) throw outcome.reason
  context.log.error(asError(outcome.reason))
  return true
}

/** Seals a token. Where that fails, the record goes that was made for it, if any: each further try would leave one more. */
export async function orForgotten<T>(context: Context, made: string | undefined, seal: () => Promise<T>): Promise<T> {
  try {
    return await seal()
  } catch (error) {
    if (made !== undefined) await endToken(context, made).catch(() => false)
    throw error
  }
}

/** When a session ends that is extended now. */
export function endOfExtended({ settings, now }: Context, facts: SessionFacts): Date {
  const end = secondsAfter(now, Math.min(settings.options["session.maxAge"], settings.options["jwt.maxAge"]))
  return earlierOf(end, overallEnd(settings, facts))
}

/** When the session ends unless it is extended, as far as that does not follow from its token. */
export function limitOf({ settings }: Context, { facts, record }: TokenSession): Date | undefined {
  const overall = overallEnd(settings, facts)
  return record ? earlierOf(record.expires, overall) : overall
}

/** A managed session ends with its user, where the user stood in the store when it began. */
export function endsWithUser({ settings }: Context, { record }: TokenSession): boolean {
  return settings.options["session.verifyUser"] !== false && record?.content.isStored === true
}

/** Is it time to extend the session? By its record where it has one: a token is sealed anew for other reasons, too. */
export function isTokenDue({ settings, now }: Context, { record }: TokenSession, { iat }: JWT): boolean {
  const seenAt = record ? record.content.seenAt : iat
  return typeof seenAt !== "number" || toSeconds(now) - seenAt >= settings.options["session.updateAge"]
}
