/** Sessions in tokens from before they were managed: their facts, the record that they get, and their end, which is that of all of them. */
import type { Context } from "../context/context.js"
import { keyedHash } from "../crypto/token.js"
import { isMarkedEnded } from "../ledger/ended.js"
import {
  type EpochContent,
  readEpoch,
  readSession,
  type SessionContent,
  type SessionRecord,
  takeSession,
  writeEpoch,
  writeSession,
} from "../ledger/session.js"
import { secondsAfter, toSeconds } from "../std/time.js"
import type { SessionFacts } from "../types/session-facts.js"
import type { JWT } from "../types/token.js"
import { earlierFacts } from "./facts.js"
import { contentOf, ledgerOf } from "./managed.js"

/** Characters of a session's public name. */
const idLength = 22

/** What a token without facts rests on. */
export async function factsOfEarlier(context: Context, claims: JWT): Promise<SessionFacts> {
  const { iat } = claims
  const facts = earlierFacts(typeof iat === "number" ? iat : toSeconds(context.now))
  const id = context.settings.features.sessions ? await idOfEarlier(context, claims) : undefined
  return id === undefined ? facts : { ...facts, id }
}

/**
 * The same name for all requests that carry the token at once, so that they make one record. With a key, because names are
 * shown, and a client that knew how they are made could make one. `undefined`: the token has no id of its own.
 */
async function idOfEarlier({ settings }: Context, { sub, iat, jti }: JWT): Promise<string | undefined> {
  if (typeof jti !== "string") return undefined
  const { bytes } = await settings.recordKeyring.derive(0, "latchkey.session.earlier")
  return (await keyedHash(bytes, JSON.stringify([sub, iat, jti]))).slice(0, idLength)
}

/** A token without facts began before sessions were managed: all of those end together, or one by its name where the token gives it one. */
export async function isEndedEarlier(context: Context, claims: JWT, { id }: SessionFacts): Promise<boolean> {
  if ((await endingEpoch(context, claims)) !== undefined) return true
  return typeof claims.jti === "string" && isMarkedEnded(ledgerOf(context), id)
}

async function endingEpoch(context: Context, { sub, iat }: JWT): Promise<EpochContent | undefined> {
  const epoch = await readEpoch(ledgerOf(context), String(sub ?? ""))
  return epoch !== undefined && (typeof iat !== "number" || iat <= epoch.at) ? epoch : undefined
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
  const userId = claims.sub === undefined ? null : String(claims.sub)
  const content = { ...(await contentOf(context, { facts })), ...replaces }
  const isMade = await writeSession(ledger, { key: facts.id, userId, content, expires: until })
  const isMarked = await isMarkedEnded(ledger, facts.id)
  const epoch = await endingEpoch(context, claims)
  if (isMarked || epoch !== undefined) {
    // Who ended all others with the same token goes on, with another one. Any other record was made too late, also where a
    // request has given the session a new token since.
    if (isMarked || epoch?.except !== facts.id) await takeSession(ledger, facts.id)
    return null
  }
  if (isMade) return { found: undefined }
  const record = await readSession(ledger, facts.id)
  return record?.content.generation === 0 ? { found: record } : null
}

/** Ends all sessions of a user that began before sessions were managed. `except`: the one that ends them. */
export function endEarlierTokens(context: Context, userId: string, except?: SessionFacts): Promise<void> {
  const { settings, now } = context
  const expires = secondsAfter(now, Math.max(settings.options["session.maxAge"], settings.options["jwt.maxAge"]))
  const epoch = { userId, at: toSeconds(now), expires, ...(except !== undefined && { except }) }
  return writeEpoch(ledgerOf(context), epoch)
}
