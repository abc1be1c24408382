/** The next token of a session in a sealed cookie: that of an extension, or one in the place of the one before. It is sealed first, and the record written second. */
import type { Context } from "../context/context.js"
import type { CookieChange } from "../http/result.js"
import { readSession, type SessionRecord } from "../ledger/session.js"
import { toSeconds } from "../std/time.js"
import type { JWT } from "../types/token.js"
import { earlierOf, writeClaim } from "./facts.js"
import { readClaim } from "./facts-claim.js"
import { writeToken } from "./jwt-cookie.js"
import { adopt, claimWithoutRecord } from "./jwt-earlier.js"
import { endOfExtended, isTokenDue, type LiveToken } from "./jwt-managed.js"
import { writeRecord } from "./jwt-record.js"
import { grace, ledgerOf } from "./managed.js"

/** What is sealed of a session. */
export interface ExtendedToken {
  readonly claim: unknown
  readonly until: Date
}

/** Seals the token of a request with what its session rests on now. */
export type Seal = (extended: ExtendedToken) => Promise<readonly CookieChange[]>

/** The sealing of these claims. */
export function sealing(context: Context, claims: JWT): Seal {
  return ({ claim, until }) => writeToken(context, { ...claims, lk: claim }, until)
}

/** A token that was sealed anew. */
export interface SealedToken extends ExtendedToken {
  readonly cookies: readonly CookieChange[]
}

/**
 * Extends the session when it is due; a session from before gets its facts and its record. `null`: it ended meanwhile, and
 * nothing was written back. Sealing comes first: where it fails nothing was written, and nothing has to be taken back from
 * other requests that may have found it.
 */
export async function extendToken(context: Context, live: LiveToken, seal: Seal): Promise<SealedToken | null> {
  const { session, claims } = live
  const { facts, record } = session
  const until = endOfExtended(context, facts)
  if (!context.settings.features.sessions) return sealedAs({ claim: claimWithoutRecord(claims, facts), until }, seal)
  const claim = claimWithRecord(live, record?.content.generation ?? 0)
  if (!record) return sealedFirst({ claim, until }, seal, () => adoptedUntil(context, live, until))
  if (!isTokenDue(context, session, claims)) return sealedAs({ claim, until: earlierOf(until, record.expires) }, seal)
  return sealedFirst({ claim, until }, seal, () => extendRecord(context, { record, until }))
}

const sealedAs = async (extended: ExtendedToken, seal: Seal): Promise<SealedToken> => ({
  ...extended,
  cookies: await seal(extended),
})

/** `write` says when the session ends: where another request was first, its end counts. */
async function sealedFirst(
  planned: ExtendedToken,
  seal: Seal,
  write: () => Promise<Date | null>,
): Promise<SealedToken | null> {
  const sealed = await sealedAs(planned, seal)
  const until = await write()
  if (until === null || until.getTime() === planned.until.getTime()) return until && sealed
  return sealedAs({ claim: planned.claim, until }, seal)
}

/** What the token of a session that has a record says. */
function claimWithRecord({ session, claims }: LiveToken, generation: number): unknown {
  const { unprovenAccount } = readClaim(claims["lk"])
  return writeClaim({ facts: session.facts, generation, ...(unprovenAccount !== undefined && { unprovenAccount }) })
}

async function adoptedUntil(context: Context, { session, claims }: LiveToken, until: Date): Promise<Date | null> {
  const adopted = await adopt(context, { facts: session.facts, claims, until })
  return adopted && earlierOf(until, adopted.found?.expires)
}

/** Another request may have extended it first: then its end counts. */
async function extendRecord(
  context: Context,
  { record, until }: { readonly record: SessionRecord; readonly until: Date },
): Promise<Date | null> {
  const content = { ...record.content, seenAt: toSeconds(context.now) }
  if (await writeRecord(context, { ...record, content, expires: until })) return until
  const now = await readSession(ledgerOf(context), record.key)
  return now?.content.generation === record.content.generation ? now.expires : null
}

/** Gives the session of the request a new token; `null` when it ended or got one meanwhile. Sealed first, as an extension is. */
export async function rotateToken(context: Context, live: LiveToken, seal: Seal): Promise<SealedToken | null> {
  const { record } = live.session
  if (!record) return rotateEarlier(context, live, seal)
  const generation = record.content.generation + 1
  const sealed = await sealedAs({ claim: claimWithRecord(live, generation), until: record.expires }, seal)
  const graceUntil = toSeconds(context.now) + grace
  const draft = { ...record, content: { ...record.content, generation, graceUntil } }
  return (await writeRecord(context, draft)) ? sealed : rotateAgain(context, { ...live, record }, seal)
}

/** Another request may have extended the session meanwhile; one that gave it a new token was first. */
async function rotateAgain(
  context: Context,
  { session, claims, record }: LiveToken & { readonly record: SessionRecord },
  seal: Seal,
): Promise<SealedToken | null> {
  const now = await readSession(ledgerOf(context), record.key)
  if (now?.content.generation !== record.content.generation || now.version === record.version) return null
  return rotateToken(context, { session: { ...session, record: now }, claims }, seal)
}

/** A session from before gets its first record, as that of a token that takes the place of the one from before. */
async function rotateEarlier(context: Context, live: LiveToken, seal: Seal): Promise<SealedToken | null> {
  const { session, claims } = live
  const { facts } = session
  const generation = 1
  const until = endOfExtended(context, facts)
  const sealed = await sealedAs({ claim: claimWithRecord(live, generation), until }, seal)
  const replaces = { generation, graceUntil: toSeconds(context.now) + grace }
  const adopted = await adopt(context, { facts, claims, until, replaces })
  // Another request has made it, and handed out its first token.
  if (adopted?.found) return rotateToken(context, { session: { ...session, record: adopted.found }, claims }, seal)
  return adopted && sealed
}
