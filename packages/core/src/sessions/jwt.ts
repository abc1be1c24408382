/** Sessions without a store: the claims are sealed into the cookie, and every access passes through the jwt callback. */
import { warnOnce } from "../config/warn-once.js"
import type { Context } from "../context/context.js"
import {
  AdapterError,
  CallbackRouteError,
  InvalidConfiguration,
  JWTSessionError,
  MissingAdapterMethods,
} from "../errors.js"
import type { CookieChange } from "../http/result.js"
import { secondsAfter, toSeconds } from "../std/time.js"
import type { AdapterUser } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import { explained } from "./callback.js"
import { passAccess, passSignIn } from "./jwt-callback.js"
import { isMarkOver, readMark } from "./mark.js"
import { presentToken, type Update } from "./present.js"
import {
  type Changed,
  type Checked,
  clearSession,
  ended,
  type Holder,
  type Login,
  nobody,
  type Presence,
  type Strategy,
} from "./strategy.js"
import { readToken, writeToken } from "./token.js"

/** Sessions in a sealed cookie. */
export const jwtStrategy: Strategy = {
  beginsInStore: false,
  peek,
  holder,
  leaves,
  check: (context, fixed) => access(context, { fixed }),
  update: (context, data) => access(context, { update: { data } }),
  begin,
  end,
}

const peeked: unique symbol = Symbol("jwt callback")

/** The token of the request after the jwt callback, which is asked once however often somebody wants to know who is here. */
interface Peeked {
  readonly token: JWT | null
  /** The session cookie as the callback left it. */
  readonly cookies: readonly CookieChange[]
}

const peekedNothing: Peeked = { token: null, cookies: [] }

async function peek(context: Context): Promise<Presence | null> {
  const { token } = await context.once(peeked, () => pass(context))
  return token && presenceOf(context, token)
}

async function presenceOf({ settings }: Context, claims: JWT): Promise<Presence | null> {
  if (!claims.sub) return null
  const { store } = settings
  const id = String(claims.sub)
  if (!store.has("getUser")) return { user: userOf(id, claims), session: undefined }
  const user = await store.getUser(id)
  const mark = readMark(claims["lk"])
  if (!user || (mark !== undefined && (await isMarkOver({ store, settings }, { user, mark })))) return null
  return { user, session: undefined, ...(mark !== undefined && { mark }) }
}

/** A user of `authorize` need not be in the store: then the claims say who it is. */
async function holder(context: Context): Promise<Holder | null> {
  const carried = await readToken(context)
  if (carried.kind !== "token") return null
  const presence = await presenceOf(context, carried.claims)
  if (presence) return { user: presence.user, isStored: true }
  return { user: userOf(String(carried.claims.sub ?? ""), carried.claims), isStored: false }
}

async function leaves(context: Context): Promise<readonly CookieChange[]> {
  const { cookies } = await context.once(peeked, async () => peekedNothing).catch(() => peekedNothing)
  return cookies
}

/** Who asks in the name of the service is answered like the application: a session that the callback ends is over here too. */
async function pass(context: Context): Promise<Peeked> {
  const carried = await readToken(context)
  if (carried.kind !== "token") return peekedNothing
  try {
    const { token, isChanged } = await passAccess(context, carried.claims, undefined)
    if (!token) return { token, cookies: clearSession }
    return { token, cookies: isChanged ? await writeToken(context, token) : [] }
  } catch (thrown) {
    if (thrown instanceof InvalidConfiguration) throw thrown
    // Cannot tell is not signed out: nobody is linked, refused or registered on a guess.
    throw explained(CallbackRouteError, thrown)
  }
}

function userOf(id: string, { name, email, picture, image }: JWT): AdapterUser {
  const portrait = typeof image === "string" ? image : (picture ?? null)
  return { id, name: name ?? null, email: email ?? "", image: portrait, emailVerified: null }
}

interface Access {
  readonly update?: Update
  readonly fixed?: boolean | undefined
}

async function access(context: Context, given: Access): Promise<Checked> {
  const carried = await readToken(context)
  if (carried.kind === "none") return nobody
  if (carried.kind === "broken") return ended
  try {
    return await slide(context, carried.claims, given)
  } catch (thrown) {
    if (thrown instanceof InvalidConfiguration || thrown instanceof MissingAdapterMethods) throw thrown
    // Cannot tell is not signed out: the cookie stays.
    const error = explained(JWTSessionError, thrown)
    if (!(thrown instanceof AdapterError)) error.status = 500
    throw error
  }
}

/** Asks the callbacks; seals anew only what changed or is due, and can still be set. */
async function slide(context: Context, claims: JWT, { update, fixed = false }: Access): Promise<Checked> {
  // Before the callback, which may look for the user as well and fail without it.
  if (await isOver(context, claims)) return ended
  const { token, isChanged } = await passAccess(context, claims, update)
  if (!token) return ended
  if (fixed && isChanged) warnOnce(context.settings, "session-not-saved")
  const isNew = !fixed && (isChanged || isDue(context, claims))
  const cookies = isNew ? await writeToken(context, token) : []
  const expires = isNew ? endOfNew(context) : endOf(context, claims)
  const session = await presentToken(context, { token, expires, update })
  return { session, cookies, events: session ? [{ kind: "session", message: { token } }] : [] }
}

/**
 * A deleted user ends the session where the application wants to know, and the owner of an address a session that was
 * begun before. An instance without a store believes the seal.
 */
async function isOver({ settings }: Context, { sub, lk }: JWT): Promise<boolean> {
  const { store, verifyUser } = settings
  const mark = store.has("getUser") ? readMark(lk) : undefined
  if (!verifyUser && mark === undefined) return false
  const user = sub ? await store.getUser(String(sub)) : null
  if (verifyUser && !user) return true
  return mark !== undefined && isMarkOver({ store, settings }, { user, mark })
}

function isDue({ settings, now }: Context, { iat }: JWT): boolean {
  return typeof iat !== "number" || toSeconds(now) - iat >= settings.sessionUpdateAge
}

/** The cookie lives by `session.maxAge`, the token in it by `jwt.maxAge`: the session ends with the first of them. */
function endOfNew({ settings, now }: Context): Date {
  return secondsAfter(now, Math.min(settings.sessionMaxAge, settings.jwt.maxAge))
}

/** A token of the application's own `encode` need not say when it was made. */
function endOf({ settings, now }: Context, { iat = toSeconds(now), exp = Number.POSITIVE_INFINITY }: JWT): Date {
  return new Date(Math.min(exp, iat + settings.sessionMaxAge) * 1000)
}

async function begin(context: Context, login: Login): Promise<Changed> {
  try {
    const token = await passSignIn(context, login)
    return { cookies: token ? await writeToken(context, token) : clearSession, events: [] }
  } catch (thrown) {
    if (thrown instanceof InvalidConfiguration) throw thrown
    throw explained(CallbackRouteError, thrown)
  }
}

async function end(context: Context): Promise<Changed> {
  const carried = await readToken(context)
  if (carried.kind === "none") return nobody
  const { claims } = carried
  const events: Changed["events"] = claims === undefined ? [] : [{ kind: "signOut", message: { token: claims } }]
  return { cookies: clearSession, events }
}
