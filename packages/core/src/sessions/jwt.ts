/**
 * Sessions without a store: the claims are sealed into the cookie, and every access passes through the jwt callback.
 */
import { warnOnce } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { chain } from "../crypto/cipher.js"
import {
  AdapterError,
  CallbackRouteError,
  InvalidConfiguration,
  JWTSessionError,
  MissingAdapterMethods,
  SignOutError,
} from "../errors.js"
import type { CookieChange } from "../http/result.js"
import { asError } from "../ports/thrown.js"
import { isThenable } from "../std/deadline.js"
import type { Awaitable } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import { explained, passAccess, passSignIn, presentToken, type Update } from "./callbacks.js"
import { changedCookie, extendChanged, keepChanged } from "./changed-token.js"
import { currentSessionOf, isTokenOver, userOf } from "./current-session.js"
import { earlierOf } from "./facts.js"
import { endOf, endOfNew, isDue, readToken, writeToken } from "./jwt-cookie.js"
import {
  claimOf,
  endOfExtended,
  endsWithUser,
  endToken,
  extendToken,
  isTokenDue,
  type LiveToken,
  limitOf,
  recordToken,
  sessionOfToken,
} from "./managed-token.js"
import {
  type Changed,
  type Checked,
  type CurrentSession,
  clearSession,
  ended,
  type Login,
  noSession,
  type SessionUser,
  type Strategy,
} from "./strategy.js"

/** Sessions in a sealed cookie. */
export const jwtStrategy: Strategy = {
  beginsInStore: false,
  peek,
  sessionUser,
  leaves,
  check: (context, fixed) => access(context, { fixed }),
  update: (context, data) => access(context, { update: { data } }),
  begin,
  end,
}

const peeked: unique symbol = Symbol("jwt callback")

/** The token of the request after the jwt callback, which is asked once for a request. */
interface Peeked {
  readonly token: JWT | null
  /** The session cookie as the callback left it. */
  readonly cookies: readonly CookieChange[]
}

const peekedNothing: Peeked = { token: null, cookies: [] }

async function peek(context: Context): Promise<CurrentSession | null> {
  const { token } = await context.once(peeked, () => pass(context))
  return token && currentSessionOf(context, token)
}

/** A user of `authorize` need not be in the store: then the claims say who it is. */
async function sessionUser(context: Context): Promise<SessionUser | null> {
  const carried = await readToken(context)
  if (carried.kind !== "token") return null
  const session = context.settings.features.keepsFacts ? await sessionOfToken(context, carried.claims) : undefined
  if (session === null) return null
  const current = await currentSessionOf(context, carried.claims)
  if (current) return { user: current.user, isStored: true }
  if (session && endsWithUser(context, session)) return null
  return { user: userOf(String(carried.claims.sub ?? ""), carried.claims), isStored: false }
}

function leaves(context: Context): Awaitable<readonly CookieChange[]> {
  const pending = context.kept<Promise<Peeked>>(peeked)
  if (!pending) return changedCookie(context)
  return pending.then(
    ({ cookies }) => cookies,
    () => [],
  )
}

/** `peek` gives the same answer as reading the session: a session that the callback ends has ended here too. */
async function pass(context: Context): Promise<Peeked> {
  const carried = await readToken(context)
  if (carried.kind !== "token") return peekedNothing
  const session = context.settings.features.keepsFacts ? await sessionOfToken(context, carried.claims) : undefined
  if (session === null) return peekedNothing
  try {
    const { token, isChanged } = await passAccess(context, carried.claims, undefined)
    if (session?.isReplaced) return { token, cookies: [] }
    if (!token) return { token, cookies: clearSession }
    const until = session && limitOf(context, session)
    return { token, cookies: isChanged ? await writeToken(context, token, until) : [] }
  } catch (thrown) {
    if (thrown instanceof InvalidConfiguration) throw thrown
    // An error is not a missing session: nothing is linked, refused or registered on a guess.
    throw explained(CallbackRouteError, thrown)
  }
}

interface Access {
  readonly update?: Update
  readonly fixed?: boolean | undefined
}

function access(context: Context, given: Access): Awaitable<Checked> {
  return chain(readToken(context), (carried) => {
    if (carried.kind === "none") return noSession
    return carried.kind === "broken" ? ended : accessClaims(context, carried.claims, given)
  })
}

function accessClaims(context: Context, claims: JWT, given: Access): Awaitable<Checked> {
  try {
    const checked = context.settings.features.keepsFacts
      ? chain(sessionOfToken(context, claims), (session) =>
          session ? slideWithFacts(context, { claims, session }, given) : ended,
        )
      : slide(context, claims, given)
    return isThenable(checked) ? checked.then(undefined, failedAccess) : checked
  } catch (thrown) {
    return failedAccess(thrown)
  }
}

/** An error is not a missing session: the cookie stays. */
function failedAccess(thrown: unknown): never {
  if (thrown instanceof InvalidConfiguration || thrown instanceof MissingAdapterMethods) throw thrown
  const error = explained(JWTSessionError, thrown)
  if (!(thrown instanceof AdapterError)) error.status = 500
  throw error
}

/** Asks the callbacks; seals anew only what changed or is due, and can still be set. Waits for nothing that is there at once. */
function slide(context: Context, claims: JWT, { update, fixed = false }: Access): Awaitable<Checked> {
  // Before the callback, which may look for the user as well and fail without it.
  return chain(isTokenOver(context, claims), (isOver) => {
    if (isOver) return ended
    return chain(passAccess(context, claims, update), ({ token, isChanged }) => {
      if (!token) return ended
      if (fixed && isChanged) warnOnce(context.settings, "session-not-saved")
      const isNew = !fixed && (isChanged || isDue(context, claims))
      const expires = isNew ? endOfNew(context) : endOf(context, claims)
      return chain(isNew ? writeToken(context, token) : [], (cookies) => {
        if (isChanged) keepChanged(context, cookies)
        return chain(presentToken(context, { token, expires, update }), (session) => ({
          session,
          cookies,
          events: session ? [{ kind: "session", message: { token } }] : [],
        }))
      })
    })
  })
}

/** The same for a session that rests on more than its token. What has a newer token neither changes nor clears a cookie: that may be the newer one already. */
async function slideWithFacts(context: Context, live: LiveToken, { update, fixed = false }: Access): Promise<Checked> {
  const { claims, session } = live
  const over = session.isReplaced ? noSession : ended
  if (await isTokenOver(context, claims, endsWithUser(context, session))) return over
  const { token, isChanged } = await passAccess(context, claims, update)
  if (!token) {
    if (!session.isReplaced && session.record) await endToken(context, session.record.key)
    return over
  }
  if (fixed && isChanged) warnOnce(context.settings, "session-not-saved")
  const isNew = !fixed && !session.isReplaced && (isChanged || isTokenDue(context, session, claims))
  const extended = isNew
    ? await (isChanged ? extendChanged(context, live, token) : extendToken(context, live))
    : undefined
  if (extended === null) return ended
  const limit = extended?.until ?? earlierOf(endOf(context, claims), limitOf(context, session))
  const sealed = extended ? { ...token, lk: extended.claim } : token
  const cookies = extended ? await writeToken(context, sealed, limit) : []
  if (isChanged) keepChanged(context, cookies)
  const shown = await presentToken(context, { token: sealed, expires: limit, update })
  return { session: shown, cookies, events: shown ? [{ kind: "session", message: { token: sealed } }] : [] }
}

async function begin(context: Context, login: Login): Promise<Changed> {
  try {
    if (context.settings.features.keepsFacts) return await beginWithFacts(context, login)
    const token = await passSignIn(context, login)
    return { cookies: token ? await writeToken(context, token) : clearSession, events: [] }
  } catch (thrown) {
    if (thrown instanceof InvalidConfiguration || thrown instanceof AdapterError) throw thrown
    throw explained(CallbackRouteError, thrown)
  }
}

/** The record is written before the token that needs it is handed out; the session of the request ends after that. */
async function beginWithFacts(context: Context, login: Login): Promise<Changed> {
  const isManaged = context.settings.features.sessions !== undefined
  const { facts, claim } = claimOf(login, context.now)
  const token = await passSignIn(context, login, claim)
  if (token && isManaged) await recordToken(context, { facts, login, claims: token })
  const cookies = token ? await writeToken(context, token, endOfExtended(context, facts)) : clearSession
  if (isManaged) await endPrevious(context)
  return { cookies, events: [] }
}

async function endPrevious(context: Context): Promise<void> {
  const carried = await readToken(context)
  const session = carried.kind === "token" ? await sessionOfToken(context, carried.claims) : null
  if (session?.record) await endToken(context, session.record.key)
}

async function end(context: Context): Promise<Changed & { readonly failure?: Error }> {
  const carried = await readToken(context)
  if (carried.kind === "none") return noSession
  const { claims } = carried
  if (context.settings.features.sessions && claims) return endManaged(context, claims)
  const events = claims === undefined ? [] : signOutOf(claims)
  return { cookies: clearSession, events }
}

function signOutOf(claims: JWT | null): Changed["events"] {
  return [{ kind: "signOut", message: { token: claims } }]
}

/** The record goes first. Where it cannot be removed, the cookie is cleared all the same, and the error says that a copy of it still works. */
async function endManaged(context: Context, claims: JWT): Promise<Changed & { readonly failure?: Error }> {
  try {
    const session = await sessionOfToken(context, claims)
    if (!session) return { cookies: clearSession, events: [] }
    const isOver = await isTokenOver(context, claims, endsWithUser(context, session))
    if (session.record) await endToken(context, session.record.key)
    return { cookies: clearSession, events: isOver ? [] : signOutOf(claims) }
  } catch (error) {
    return { cookies: clearSession, events: [], failure: new SignOutError(asError(error)) }
  }
}
