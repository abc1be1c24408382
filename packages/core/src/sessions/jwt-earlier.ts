/** Sessions in tokens from before they were managed: their facts, which are sealed with the first token that is made anew, the record that they get, and their end. */
import type { Context } from "../context/context.js"
import { keyedHash } from "../crypto/token.js"
import { isMarkedEnded } from "../ledger/ended.js"
import { type EpochContent, readEpoch, writeEpoch } from "../ledger/epoch.js"
import { readSession, type SessionContent, type SessionRecord, writeSession } from "../ledger/session.js"
import { toSeconds } from "../std/time.js"
import type { SessionFacts } from "../types/session-facts.js"
import type { JWT } from "../types/token.js"
import { contentOf } from "./content.js"
import { earlierFacts, idsOf, writeClaim } from "./facts.js"
import { readClaim } from "./facts-claim.js"
import { endToken } from "./jwt-record.js"
import { endOfMark, ledgerOf } from "./managed.js"
import { ownerIn } from "./user-id.js"

const unnamed: unique symbol = Symbol("facts of a token without a name")

/** Characters of a session's public name. */
const idLength = 22

/** What a token without facts rests on. */
export async function factsOfEarlier(context: Context, claims: JWT): Promise<SessionFacts> {
  const { iat } = claims
  // Kept for the request: where the token has no id of its own, each look would find another session.
  const facts = context.once(unnamed, () => earlierFacts(typeof iat === "number" ? iat : toSeconds(context.now)))
  const [id, ...otherIds] = await idsOfEarlier(context, claims)
  if (id === undefined) return facts
  return otherIds.length > 0 ? { ...facts, id, otherIds } : { ...facts, id }
}

/**
 * What is sealed of a session that gets no record now. A token without facts gets them, with the name of the session: each
 * sealing changes what the name is made of, and a copy from before would have another one. What a token says of a record stays.
 */
export function claimWithoutRecord(claims: JWT, facts: SessionFacts): unknown {
  const claim = readClaim(claims["lk"])
  return claim.facts ? claims["lk"] : writeClaim({ ...claim, facts, hasNoRecord: true })
}

/**
 * The same name for all requests that carry the token at once, so that they make one record; then those by the further
 * secrets, which are the first where another one is in front. With a key, because names are shown, and a client that knew how
 * they are made could make one. Empty: the token has no id of its own.
 */
async function idsOfEarlier(
  { settings: { recordKeyring } }: Context,
  { sub, iat, jti }: JWT,
): Promise<readonly string[]> {
  if (typeof jti !== "string") return []
  const ids: string[] = []
  for (const index of recordKeyring.secrets.keys()) {
    const { bytes } = await recordKeyring.derive(index, "latchkey.session.earlier")
    ids.push((await keyedHash(bytes, JSON.stringify([sub, iat, jti]))).slice(0, idLength))
  }
  return ids
}

/** The facts under the name by which the session has its record, if any: it may have been made while another secret was in front. */
export async function asRecorded(context: Context, facts: SessionFacts): Promise<SessionFacts> {
  for (const id of facts.otherIds ?? []) {
    if ((await readSession(ledgerOf(context), id)) === null) continue
    return { ...facts, id, otherIds: idsOf(facts).filter((other) => other !== id) }
  }
  return facts
}

/** Has the session of a token ended that opens it without a record? All of those end together, or one by its name where the token gives it one. */
export async function isEndedEarlier(context: Context, claims: JWT, facts: SessionFacts): Promise<boolean> {
  if ((await endingEpoch(context, claims)) !== undefined) return true
  return isNamed(claims) && isMarked(context, facts)
}

/** Was the session ended by any of its names? */
async function isMarked(context: Context, facts: SessionFacts): Promise<boolean> {
  for (const id of idsOf(facts)) if (await isMarkedEnded(ledgerOf(context), id)) return true
  return false
}

/** Has the session the same name for every request that carries the token? */
export function isNamed({ lk, jti }: JWT): boolean {
  return readClaim(lk).facts !== undefined || typeof jti === "string"
}

/** Its beginning counts where the token says it: an instance that does not manage sessions may have sealed it anew after the end. */
async function endingEpoch(context: Context, { sub, iat, lk }: JWT): Promise<EpochContent | undefined> {
  const epoch = await readEpoch(ledgerOf(context), String(sub ?? ""))
  const begun = readClaim(lk).facts?.startedAt ?? iat
  return epoch !== undefined && epoch.at > 0 && (typeof begun !== "number" || begun <= epoch.at) ? epoch : undefined
}

/** A session from before that is to have a record. */
export interface Adoption {
  readonly facts: SessionFacts
  readonly claims: JWT
  readonly until: Date
  /** Set where the session gets a new token together with its record: then no other copy of the old token is given one. */
  readonly replaces?: Pick<SessionContent, "generation" | "graceUntil">
}

/** The record of a session from before: of this request, or `found`, because another one carried the same token. */
export interface Adopted {
  readonly found: SessionRecord | undefined
}

/**
 * A session from before gets a record, unless all of those were ended: asked again afterwards, because that may happen in
 * between. `null`: they were, or the session has a newer token than this one would be.
 */
export async function adopt(context: Context, { facts, claims, until, replaces }: Adoption): Promise<Adopted | null> {
  const ledger = ledgerOf(context)
  const userId = ownerIn(claims)
  const content = { ...(await contentOf(context, { facts })), ...replaces }
  const isMade = await writeSession(ledger, { key: facts.id, userId, content, expires: until })
  const { isNamedEnded, epoch } = await endOfEarlier(context, { facts, claims }).catch(async (error: unknown) => {
    // The old token would be replaced by one that nobody has. No other request hands out a token of such a record.
    if (isMade && replaces) await endToken(context, facts.id).catch(() => false)
    throw error
  })
  if (isNamedEnded || epoch !== undefined) {
    // Who ended all others with the same token goes on, with another one: the one that found this record had none of its own.
    // Any other record was made too late, also where a request has given the session a new token since.
    const goesOn = !isNamedEnded && epoch?.except === facts.id
    if (!goesOn) await endToken(context, facts.id)
    return goesOn && isMade && replaces ? { found: undefined } : null
  }
  if (isMade) return { found: undefined }
  const record = await readSession(ledger, facts.id)
  return record?.content.generation === 0 ? { found: record } : null
}

/** What says that a session from before has ended. */
async function endOfEarlier(
  context: Context,
  { facts, claims }: Pick<Adoption, "facts" | "claims">,
): Promise<{ readonly isNamedEnded: boolean; readonly epoch: EpochContent | undefined }> {
  const isNamedEnded = await isMarked(context, facts)
  return { isNamedEnded, epoch: await endingEpoch(context, claims) }
}

/** Ends all sessions of a user that began before sessions were managed. `except`: the one that ends them. */
export function endEarlierTokens(context: Context, userId: string, except?: SessionFacts): Promise<void> {
  const [at, expires] = [context.now.getTime() / 1000, endOfMark(context)]
  const epoch = { userId, at, expires, ...(except !== undefined && { except }) }
  return writeEpoch(ledgerOf(context), epoch)
}
