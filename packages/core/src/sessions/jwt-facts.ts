/** Reading a session of the jwt strategy that rests on more than its token: facts that are kept with it, and its record where sessions are managed. */
import { warnOnce } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { readSession } from "../ledger/session.js"
import type { JWT } from "../types/token.js"
import { type Access, passAccess, presentToken } from "./callbacks.js"
import { keepChanged } from "./changed-token.js"
import { earlierOf } from "./facts.js"
import { opensAlone, readClaim } from "./facts-claim.js"
import { endOf, writeToken } from "./jwt-cookie.js"
import { asRecorded, claimWithoutRecord, factsOfEarlier } from "./jwt-earlier.js"
import {
  believedSession,
  endSession,
  endsWithUser,
  isTokenDue,
  type LiveToken,
  limitOf,
  sessionBeyond,
  sessionOfToken,
} from "./jwt-managed.js"
import { extendToken, type SealedToken, sealing } from "./jwt-next.js"
import { ledgerOf } from "./managed.js"
import { type Checked, ended, noSession } from "./strategy.js"
import { isTokenOver } from "./token-over.js"

/**
 * Reads the session of a token; the callbacks may change it. An update asks the store: what the client sent must not reach the
 * callbacks for a session that has ended.
 */
export async function accessWithFacts(context: Context, claims: JWT, given: Access): Promise<Checked> {
  const session = await (given.update ? sessionOfToken : believedSession)(context, claims)
  if (session) return slideWithFacts(context, { claims, session }, given)
  return (await goesOn(context, claims)) ? noSession : ended
}

/** Has a token from before ended, though its session goes on with another one? That may be in the cookie already. */
async function goesOn(context: Context, claims: JWT): Promise<boolean> {
  const claim = readClaim(claims["lk"])
  if (!context.settings.features.sessions || !opensAlone(claim)) return false
  const { id } = await asRecorded(context, claim.facts ?? (await factsOfEarlier(context, claims)))
  return (await readSession(ledgerOf(context), id)) !== null
}

/** What has a newer token neither changes nor clears a cookie: that may be the newer one already. */
async function slideWithFacts(context: Context, live: LiveToken, { update, fixed = false }: Access): Promise<Checked> {
  const { claims, session } = live
  const over = session.isReplaced ? noSession : ended
  if (await isTokenOver(context, claims, endsWithUser(context, session))) return over
  const { token, isChanged } = await passAccess(context, claims, update)
  if (!token) {
    const ending = !session.isReplaced && session.record ? await endSession(context, session) : undefined
    if (ending?.unmarked) throw ending.unmarked.reason
    return over
  }
  if (fixed && isChanged) warnOnce(context.settings, "session-not-saved")
  const isNew = !fixed && !session.isReplaced && (isChanged || isTokenDue(context, session, claims))
  const extended = isNew
    ? await (isChanged ? extendChanged(context, live, token) : extendToken(context, live, sealing(context, token)))
    : undefined
  if (extended === null) return overtaken(context, live, { token, update })
  const limit = extended?.until ?? endOfLive(context, live)
  const sealed = extended ? { ...token, lk: extended.claim } : token
  const cookies = extended?.cookies ?? []
  if (isChanged) keepChanged(context, cookies)
  return shown(context, { token: sealed, limit, update }, cookies)
}

/**
 * When a session ends unless it is extended. The tokens of a `decode` of the application may keep the `iat` of the sign-in however
 * often they are extended: where there is a record, it is the one that knows.
 */
function endOfLive(context: Context, { claims, session }: LiveToken): Date {
  const { iat, ...undated } = claims
  const isInRecord = session.record !== undefined && context.settings.options["jwt.decode"] !== undefined
  return earlierOf(endOf(context, isInRecord ? undated : claims), limitOf(context, session))
}

/** A session as the client may see it. */
interface Shown {
  readonly token: JWT
  readonly limit: Date
  readonly update: Access["update"]
}

async function shown(
  context: Context,
  { token, limit, update }: Shown,
  cookies: Checked["cookies"] = [],
): Promise<Checked> {
  const session = await presentToken(context, { token, expires: limit, update })
  return { session, cookies, events: session ? [{ kind: "session", message: { token } }] : [] }
}

/** Another request has ended the session, or given it a newer token: the browser may have that already, so its cookie is left alone. */
async function overtaken(
  context: Context,
  live: LiveToken,
  { token, update }: Pick<Shown, "token" | "update">,
): Promise<Checked> {
  const session = await sessionBeyond(context, live)
  if (!session) return ended
  if (!session.isReplaced) return noSession
  return shown(context, { token, limit: endOfLive(context, { ...live, session }), update })
}

/** Extends a session whose token has changed. While the records are away, or the token cannot be sealed, the answer is an error, and the change is kept without an extension. */
async function extendChanged(context: Context, live: LiveToken, token: JWT): Promise<SealedToken | null> {
  try {
    return await extendToken(context, live, sealing(context, token))
  } catch (error) {
    const kept = { ...token, lk: claimWithoutRecord(live.claims, live.session.facts) }
    keepChanged(context, await writeToken(context, kept, limitOf(context, live.session)))
    throw error
  }
}
