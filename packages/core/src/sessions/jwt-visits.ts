/** Beginning and ending sessions of the jwt strategy, and who is signed in for a request that does more than read: loaded by the first of them. */
import type { Context } from "../context/context.js"
import { AccessDenied, AdapterError, CallbackRouteError, InvalidConfiguration, SignOutError } from "../errors.js"
import { asError } from "../ports/thrown.js"
import type { SessionFacts } from "../types/session-facts.js"
import type { JWT } from "../types/token.js"
import { explained, passAccess } from "./callbacks.js"
import { type Peeked, peeked } from "./changed-token.js"
import { currentSessionOf, userOf } from "./current-session.js"
import { endedUnderWay, wereAllEnded } from "./ended-meanwhile.js"
import { withoutDigest } from "./facts-claim.js"
import { goesOn, overBefore } from "./going-on.js"
import { claimOf, endSurplusTokens, recordToken } from "./jwt-begin.js"
import { readToken, writeToken } from "./jwt-cookie.js"
import { claimWithoutRecord } from "./jwt-earlier.js"
import {
  believedSession,
  type EndedSession,
  endOfExtended,
  endSession,
  endsWithUser,
  limitOf,
  orForgotten,
  sessionOfToken,
  type TokenSession,
} from "./jwt-managed.js"
import { endToken } from "./jwt-record.js"
import { passSignIn } from "./sign-in-token.js"
import { type Changed, type CurrentSession, clearSession, type Login, noSession, type SessionUser } from "./strategy.js"
import { isTokenOver } from "./token-over.js"
import { ownerIn } from "./user-id.js"

const peekedNothing: Peeked = { token: null, cookies: [] }

/** {@link Strategy.peek} */
export async function peek(context: Context): Promise<CurrentSession | null> {
  const { token } = await context.once(peeked, () => pass(context))
  return token && currentSessionOf(context, token)
}

/** {@link Strategy.sessionUser}: a user of `authorize` need not be in the store: then the claims say who it is. */
export async function sessionUser(context: Context): Promise<SessionUser | null> {
  const carried = await readToken(context)
  if (carried.kind !== "token") return null
  const session = context.settings.features.keepsFacts ? await believedSession(context, carried.claims) : undefined
  if (session === null) return null
  const current = await currentSessionOf(context, carried.claims)
  if (current) return { user: current.user, isStored: true }
  if (session && endsWithUser(context, session)) return null
  return { user: userOf(String(carried.claims.sub ?? ""), carried.claims), isStored: false }
}

/**
 * `peek` gives the same answer as reading the session: one that the callback ends has ended here too. Callers are about to
 * change something, so the record is asked for each time.
 */
async function pass(context: Context): Promise<Peeked> {
  const carried = await readToken(context)
  if (carried.kind !== "token") return peekedNothing
  const session = context.settings.features.keepsFacts ? await sessionOfToken(context, carried.claims) : undefined
  if (session === null) return peekedNothing
  try {
    const { token, isChanged } = await passAccess(context, carried.claims, undefined)
    if (session?.isReplaced) return { token, cookies: [] }
    if (!token) return { token, cookies: clearSession }
    if (!isChanged) return { token, cookies: [] }
    if (!session) return { token, cookies: await writeToken(context, token) }
    const kept = { ...token, lk: claimWithoutRecord(carried.claims, session.facts) }
    return { token, cookies: await writeToken(context, kept, limitOf(context, session)) }
  } catch (thrown) {
    if (thrown instanceof InvalidConfiguration) throw thrown
    // An error is not a missing session: nothing is linked, refused or registered on a guess.
    throw explained(CallbackRouteError, thrown)
  }
}

/** {@link Strategy.begin} */
export async function begin(context: Context, login: Login): Promise<Changed> {
  try {
    if (context.settings.features.keepsFacts) return await beginWithFacts(context, login)
    const token = await passSignIn(context, login)
    return { cookies: token ? await writeToken(context, token) : clearSession, events: [] }
  } catch (thrown) {
    if ([InvalidConfiguration, AdapterError, AccessDenied].some((kind) => thrown instanceof kind)) throw thrown
    throw explained(CallbackRouteError, thrown)
  }
}

/** The record is written before the token that needs it is handed out; the session of the request ends after that, and what is one too many. */
async function beginWithFacts(context: Context, login: Login): Promise<Changed> {
  const isManaged = context.settings.features.sessions !== undefined
  const earlier = isManaged || login.addsAccount ? await earlierSession(context) : null
  const isNext = goesOn(context, login)
  if (isNext && !earlier) return overBefore
  const { facts, claim } = claimOf(context, login, earlier?.facts)
  const token = await passSignIn(context, login, claim)
  const follows = isNext ? earlier?.facts.id : undefined
  const before = earlier?.record?.content
  if (token && isManaged) {
    await recordToken(context, { facts, login, claims: token, before, follows })
    if (!login.addsAccount) await expectNotEnded(context, facts, token)
  }
  const made = isManaged ? facts.id : undefined
  const seal = (claims: JWT): ReturnType<typeof writeToken> =>
    orForgotten(context, made, () => writeToken(context, claims, endOfExtended(context, facts)))
  const cookies = token ? await seal(token) : clearSession
  const end = (before: TokenSession): Promise<EndedSession | null> =>
    isNext ? endForNext(context, before) : endSession(context, before)
  const ending = earlier && isManaged ? await orForgotten(context, made, () => end(earlier)) : undefined
  if (ending === null) {
    await endToken(context, facts.id)
    return overBefore
  }
  // The session has begun, and the record of the one before it is gone.
  if (ending?.unmarked) context.log.error(asError(ending.unmarked.reason))
  const stays = !token || !isManaged || (await endSurplusTokens(context, { facts, claims: token }))
  // The browser may have the cookie of a newer one by now: that is left alone.
  return { cookies: stays ? cookies : [], events: [] }
}

/** @throws AccessDenied where all sessions of the user were ended meanwhile: then this one has, too */
async function expectNotEnded(context: Context, { id }: SessionFacts, claims: JWT): Promise<void> {
  const userId = ownerIn(claims)
  if (userId === null || !(await wereAllEnded(context, userId))) return
  await endToken(context, id)
  throw endedUnderWay()
}

/** `null`: somebody else has ended it. One that has a record ends for the one who takes that; one from before is looked at once more. */
async function endForNext(context: Context, earlier: TokenSession): Promise<EndedSession | null> {
  const now = await earlierSession(context)
  // A token that another one has replaced is still believed for a moment: a session that goes on from a copy would outlive that one.
  if (!now || now.isReplaced) return null
  const ending = await endSession(context, earlier)
  return earlier.record && !ending.isFirst ? null : ending
}

async function earlierSession(context: Context): Promise<TokenSession | null> {
  const carried = await readToken(context)
  return carried.kind === "token" ? sessionOfToken(context, carried.claims) : null
}

/** {@link Strategy.end} */
export async function end(context: Context): Promise<Changed & { readonly failure?: Error }> {
  const carried = await readToken(context)
  if (carried.kind === "none") return noSession
  const { claims } = carried
  if (context.settings.features.sessions && claims) return endManaged(context, claims)
  const events = claims === undefined ? [] : signOutOf(claims)
  return { cookies: clearSession, events }
}

function signOutOf(claims: JWT | null): Changed["events"] {
  return [{ kind: "signOut", message: { token: claims && withoutDigest(claims) } }]
}

/** The record goes first. Where it cannot be removed, the cookie is cleared all the same, and the error says that a copy of it still works. */
async function endManaged(context: Context, claims: JWT): Promise<Changed & { readonly failure?: Error }> {
  try {
    const session = await sessionOfToken(context, claims)
    if (!session) return { cookies: clearSession, events: [] }
    const isOver = await isTokenOver(context, claims, endsWithUser(context, session))
    const { unmarked } = await endSession(context, session)
    if (unmarked) throw unmarked.reason
    return { cookies: clearSession, events: isOver ? [] : signOutOf(claims) }
  } catch (error) {
    return { cookies: clearSession, events: [], failure: new SignOutError(asError(error)) }
  }
}
