/** Sessions without a store: the claims are sealed into the cookie, and every access passes through the jwt callback. */
import type { Context } from "../context/context.js"
import { CallbackRouteError, InvalidConfiguration, JWTSessionError } from "../errors.js"
import type { CookieChange } from "../http/result.js"
import { asError } from "../ports/thrown.js"
import { secondsAfter, toSeconds } from "../std/time.js"
import type { CallbacksOptions } from "../types/hooks.js"
import type { AdapterUser } from "../types/identity.js"
import type { JWT } from "../types/token.js"
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
import { fingerprint, followPicture, isClaims, readToken, writeToken } from "./token.js"

/** Sessions in a sealed cookie. */
export const jwtStrategy: Strategy = {
  beginsInStore: false,
  peek,
  holder,
  check: (context, fixed) => access(context, { fixed }),
  update: (context, data) => access(context, { update: { data } }),
  begin,
  end,
}

async function peek(context: Context): Promise<Presence | null> {
  const carried = await readToken(context)
  if (carried.kind !== "token" || !carried.claims.sub) return null
  const { store } = context.settings
  const id = String(carried.claims.sub)
  if (!store.has("getUser")) return { user: userOf(id, carried.claims), session: undefined }
  const user = await store.getUser(id)
  return user && { user, session: undefined }
}

/** A user of `authorize` need not be in the store: then the claims say who it is. */
async function holder(context: Context): Promise<Holder | null> {
  const presence = await peek(context)
  if (presence) return { user: presence.user, isStored: true }
  const carried = await readToken(context)
  if (carried.kind !== "token") return null
  return { user: userOf(String(carried.claims.sub ?? ""), carried.claims), isStored: false }
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
    if (thrown instanceof InvalidConfiguration) throw thrown
    // Cannot tell is not signed out: the cookie stays.
    const error = new JWTSessionError(asError(thrown))
    error.status = 500
    throw error
  }
}

/** Asks the callbacks; seals anew only what changed or is due, and can still be set. */
async function slide(context: Context, claims: JWT, { update, fixed = false }: Access): Promise<Checked> {
  const { token, isChanged } = await pass(context, claims, update)
  if (!token) return ended
  const isNew = !fixed && (isChanged || isDue(context, claims))
  const cookies = isNew ? await writeToken(context, token) : []
  const expires = isNew ? endOfNew(context) : endOf(context, claims)
  const session = await presentToken(context, { token, expires, update })
  return { session, cookies, events: session ? [{ kind: "session", message: { token } }] : [] }
}

/** Passes the claims through the jwt callback. Where the application has none, nothing can change. */
async function pass(
  context: Context,
  claims: JWT,
  update: Update | undefined,
): Promise<{ token: JWT | null; isChanged: boolean }> {
  if (!context.settings.config.callbacks?.jwt) return { token: claims, isChanged: false }
  // Taken before the callback, which may write to what it is given.
  const before = fingerprint(claims)
  const answer = await askJwt(context, {
    token: { ...claims },
    ...(update && { trigger: "update", ...(update.data !== undefined && { session: update.data }) }),
  })
  if (!answer) return { token: null, isChanged: true }
  const token = followPicture(answer, claims)
  return { token, isChanged: fingerprint(token) !== before }
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

/** `null` ends the session. */
async function askJwt(context: Context, params: object): Promise<JWT | null> {
  // `user` is there at sign-in only, whatever the type says.
  const answer: unknown = await context.settings.callbacks.jwt(params as Parameters<CallbacksOptions["jwt"]>[0])
  if (answer === null || isClaims(answer)) return answer
  throw new TypeError(`the jwt callback must return the token or null, not ${typeof answer}`)
}

async function begin(context: Context, { user, account, profile, isNew }: Login): Promise<Changed> {
  const { name, email, image, id } = user
  const subject = id === undefined ? {} : { sub: String(id) }
  // The empty text stands for "no address" in the store and means nothing here.
  const first = { name, email: email === "" ? null : email, picture: image, image, ...subject } as JWT
  try {
    const answer = await askJwt(context, {
      token: { ...first },
      user,
      account,
      ...(profile && { profile }),
      ...(isNew !== undefined && { isNewUser: isNew }),
      trigger: isNew ? "signUp" : "signIn",
    })
    const cookies: readonly CookieChange[] = answer
      ? await writeToken(context, followPicture(answer, first))
      : clearSession
    return { cookies, events: [] }
  } catch (thrown) {
    if (thrown instanceof InvalidConfiguration) throw thrown
    throw new CallbackRouteError(asError(thrown))
  }
}

async function end(context: Context): Promise<Changed> {
  const carried = await readToken(context)
  if (carried.kind === "none") return nobody
  const { claims } = carried
  const events: Changed["events"] = claims === undefined ? [] : [{ kind: "signOut", message: { token: claims } }]
  return { cookies: clearSession, events }
}
