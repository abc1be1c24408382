/** What both strategies do for sessions that are kept in records: counting them, and ending them. */
import type { Context } from "../context/context.js"
import { AdapterError } from "../errors.js"
import { markEnded } from "../ledger/ended.js"
import type { Ledger } from "../ledger/seal.js"
import { listSessions, type SessionContent, type SessionRecord } from "../ledger/session.js"
import type { Store } from "../ports/store.js"
import { secondsAfter } from "../std/time.js"
import type { SessionFacts } from "../types/session-facts.js"
import { idsOf } from "./facts.js"
import type { SessionControl } from "./strategy.js"

/** Seconds for which the token before the present one is accepted: requests that carry it may be on their way. */
export const grace = 30

/** Where records are read and written: inside a transaction, where the adapter keeps them itself. */
export function ledgerOf({ settings, now }: Context, store: Store = settings.store): Ledger {
  const { records, adapter } = settings.config
  const inside = records && records !== adapter ? undefined : store.records
  return { records: inside ?? settings.records, keyring: settings.recordKeyring, now }
}

/** A session that begins, with its record. */
export interface Begun {
  readonly key: string
  readonly facts: SessionFacts
}

/**
 * The place of a session that begins: behind all that are there, whatever the clocks of other processes say. `undefined`: they
 * are not counted, or cannot be.
 */
export async function turnOf(
  context: Context,
  { ledger, userId, facts }: { readonly ledger: Ledger; readonly userId: string | null; readonly facts: SessionFacts },
): Promise<Pick<SessionContent, "turn">> {
  const { atMost } = context.settings.features.sessions ?? {}
  if (atMost === undefined || userId === null || facts.actor !== undefined) return {}
  const there = await orLogged(context.log, () => listSessions(ledger, userId))
  return there ? { turn: Math.max(0, ...there.map(({ content }) => content.turn ?? 0)) + 1 } : {}
}

/** One order for all who count, so that two sign-ins at once never end each other: those that had the same place have it by time, then by their name. */
function byTurn(one: SessionRecord, other: SessionRecord): number {
  const turns = (one.content.turn ?? 0) - (other.content.turn ?? 0)
  return turns || one.content.facts.startedAt - other.content.facts.startedAt || (idOf(one) < idOf(other) ? -1 : 1)
}

const idOf = ({ content }: SessionRecord): string => content.facts.id

/** One record of each session: in a database one that gets a new token has two, until the one before is marked as replaced. */
export function oneOfEach(records: readonly SessionRecord[]): readonly SessionRecord[] {
  return [...new Map(records.map((record) => [idOf(record), record])).values()]
}

/** Whose sessions are counted, and for which of them. */
export interface Counting {
  readonly ledger: Ledger
  readonly userId: string
  readonly begun: Begun
  /** Asked where there are too many: a record may be left of a sign-in that failed, or of what the application ended itself. */
  readonly isLiving?: (record: SessionRecord) => Promise<boolean>
}

/**
 * The sessions of a user that go because there are more than `atMost`: the oldest. The one that begins is among them only
 * where so many others began at the same moment: each looks once it is written, so the last to look sees all. Those in
 * which somebody acts for the user are not the user's: they neither count nor go, and none goes for them.
 */
export async function surplusOf(
  context: Context,
  { ledger, userId, begun, isLiving = async () => true }: Counting,
): Promise<readonly SessionRecord[]> {
  const { atMost } = context.settings.features.sessions ?? {}
  if (atMost === undefined || begun.facts.actor !== undefined) return []
  const most = Math.max(1, atMost)
  const counted = (await listSessions(ledger, userId)).filter(
    ({ content }) => content.isReplaced !== true && content.facts.actor === undefined,
  )
  // It has ended, or its place is unknown.
  if (counted.find(({ key }) => key === begun.key)?.content.turn === undefined) return []
  if (oneOfEach(counted).length <= most) return []
  const areLiving = await Promise.all(counted.map(async (record) => record.key === begun.key || isLiving(record)))
  const living = oneOfEach(counted.filter((_, at) => areLiving[at]))
  return living.toSorted(byTurn).slice(0, Math.max(0, living.length - most))
}

/** Logs the failure of an operation, which may succeed next time; one that the adapter lacks must be reported. */
export async function orLogged<T>(log: Context["log"], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    log.error(error)
    return undefined
  }
}

/** What a step failed with, where the rest is to be done all the same: a store that is full takes no new record, and still ends sessions. */
export async function failureOf(step: Promise<unknown>): Promise<PromiseRejectedResult | undefined> {
  const [outcome] = await Promise.allSettled([step])
  return outcome?.status === "rejected" ? outcome : undefined
}

/** Which sessions end. */
export interface Meant {
  readonly userId: string
  readonly isMeant: (content: SessionContent) => boolean
  /** The session that ends them: it stays, though it may have gone on from one of them. */
  readonly except?: string
}

/** What came of ending sessions. */
export interface Ending {
  readonly ids: ReadonlySet<string>
  /** A mark was not written: a request that gave one of them a new token at that moment may have kept it. */
  readonly failed?: PromiseRejectedResult | undefined
}

/** Sessions of one user that end, each with all its records. */
export interface Ended {
  readonly ledger: Ledger
  readonly named: readonly SessionRecord[]
  readonly end: (record: SessionRecord) => Promise<unknown>
}

/**
 * Ends sessions. In a database a new token is another record: whoever writes that looks for the mark afterwards. So each
 * new token is either in the list, which is read after the marks are written, or taken back. One in a sealed cookie has
 * the same record as before; only a cookie from before sessions were managed opens without one, unless there is a mark.
 */
export async function endWhole(context: Context, { ledger, named, end }: Ended): Promise<Ending> {
  const ids = new Set(named.map(({ content }) => content.facts.id))
  const owner = named.find(({ content }) => content.sessionToken !== undefined)?.userId
  const failed = await failureOf(markAll(context, ledger, named))
  const records = typeof owner === "string" ? await recordsOf(ledger, owner, ids) : named
  // The token that can be renewed goes first.
  const isLate = ({ content }: SessionRecord): number => (content.isReplaced ? 1 : 0)
  for (const record of records.toSorted((one, other) => isLate(one) - isLate(other))) await end(record)
  return { ids, failed }
}

async function markAll(context: Context, ledger: Ledger, named: readonly SessionRecord[]): Promise<void> {
  const marked = named.filter(({ content }) => content.sessionToken !== undefined || isFromBefore(content))
  for (const { content } of oneOfEach(marked)) await markSession(context, ledger, content.facts)
}

/** Marks a session under all of its names: an instance with another secret in front looks for another one. */
export async function markSession(context: Context, ledger: Ledger, facts: SessionFacts): Promise<void> {
  for (const id of idsOf(facts)) await markEnded(ledger, id, endOfMark(context))
}

/** Seconds: ten years. Tokens that the application opens itself may have no end. */
const longestMark = 10 * 365 * 86_400

/** No token that is there now outlives it. */
export function endOfMark({ settings, now }: Context): Date {
  const { options, strategy } = settings
  const longest = Math.max(options["session.maxAge"], options["jwt.maxAge"])
  const isEndless = strategy === "jwt" && options["jwt.decode"] !== undefined
  return secondsAfter(now, isEndless ? Math.max(longest, longestMark) : longest)
}

/** Its record does not say how it began: a sealed cookie from before sessions were managed may open it as well. */
export function isFromBefore({ facts, via }: Pick<SessionContent, "facts" | "via">): boolean {
  return via === undefined && facts.actor === undefined
}

/** The records of sessions by their ids. */
export async function recordsOf(
  ledger: Ledger,
  userId: string,
  ids: ReadonlySet<string>,
): Promise<readonly SessionRecord[]> {
  return (await listSessions(ledger, userId)).filter(({ content }) => ids.has(content.facts.id))
}

/**
 * Ends sessions of a user, and says which those were. Sessions that began meanwhile stay, but for those that went on from one of
 * them: such a session was written before the record of the one before it was taken, so a list that is read now has it, or it
 * finds that record gone, and ends itself.
 */
export async function endNamed(
  context: Context,
  { end }: Pick<SessionControl, "end">,
  { userId, isMeant, except }: Meant,
): Promise<Ending> {
  const ledger = ledgerOf(context)
  const ids = new Set<string>()
  let failed: Ending["failed"]
  // By their records alone: the row of a session that goes on meanwhile is gone by the time it is looked for.
  let named = (await listSessions(ledger, userId)).filter(({ content }) => isMeant(content))
  while (named.length > 0) {
    const ending = await endWhole(context, { ledger, named, end: (record) => end(context, record) })
    for (const id of ending.ids) ids.add(id)
    failed ??= ending.failed
    named = (await listSessions(ledger, userId)).filter(
      ({ content: { facts, follows = [] } }) =>
        follows.some((id) => ids.has(id)) && !ids.has(facts.id) && facts.id !== except,
    )
  }
  return { ids, failed }
}
