/**
 * Sessions without a store: the claims are sealed into the cookie, and every access passes through the jwt callback.
 */
import { warnOnce } from "../config/settings.js"
import { askInTime } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { open, seal, TokenNotValidNow } from "../crypto/jwe.js"
import {
  AdapterError,
  CallbackRouteError,
  InvalidConfiguration,
  JWTSessionError,
  MissingAdapterMethods,
} from "../errors.js"
import { fitsCookies, sessionChunks } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { asError } from "../ports/thrown.js"
import { secondsAfter, toSeconds } from "../std/time.js"
import type { Awaitable } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import { explained, isClaims, passAccess, passSignIn, presentToken, sealed, shown, type Update } from "./callbacks.js"
import { currentSessionOf, isTokenOver, userOf } from "./current-session.js"
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
  const current = await currentSessionOf(context, carried.claims)
  if (current) return { user: current.user, isStored: true }
  return { user: userOf(String(carried.claims.sub ?? ""), carried.claims), isStored: false }
}

function leaves(context: Context): Awaitable<readonly CookieChange[]> {
  const pending = context.kept<Promise<Peeked>>(peeked)
  if (!pending) return []
  return pending.then(
    ({ cookies }) => cookies,
    () => [],
  )
}

/** `peek` gives the same answer as reading the session: a session that the callback ends has ended here too. */
async function pass(context: Context): Promise<Peeked> {
  const carried = await readToken(context)
  if (carried.kind !== "token") return peekedNothing
  try {
    const { token, isChanged } = await passAccess(context, carried.claims, undefined)
    if (!token) return { token, cookies: clearSession }
    return { token, cookies: isChanged ? await writeToken(context, token) : [] }
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

async function access(context: Context, given: Access): Promise<Checked> {
  const carried = await readToken(context)
  if (carried.kind === "none") return noSession
  if (carried.kind === "broken") return ended
  try {
    return await slide(context, carried.claims, given)
  } catch (thrown) {
    if (thrown instanceof InvalidConfiguration || thrown instanceof MissingAdapterMethods) throw thrown
    // An error is not a missing session: the cookie stays.
    const error = explained(JWTSessionError, thrown)
    if (!(thrown instanceof AdapterError)) error.status = 500
    throw error
  }
}

/** Asks the callbacks; seals anew only what changed or is due, and can still be set. */
async function slide(context: Context, claims: JWT, { update, fixed = false }: Access): Promise<Checked> {
  // Before the callback, which may look for the user as well and fail without it.
  if (await isTokenOver(context, claims)) return ended
  const { token, isChanged } = await passAccess(context, claims, update)
  if (!token) return ended
  if (fixed && isChanged) warnOnce(context.settings, "session-not-saved")
  const isNew = !fixed && (isChanged || isDue(context, claims))
  const cookies = isNew ? await writeToken(context, token) : []
  const expires = isNew ? endOfNew(context) : endOf(context, claims)
  const session = await presentToken(context, { token, expires, update })
  return { session, cookies, events: session ? [{ kind: "session", message: { token } }] : [] }
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
  if (carried.kind === "none") return noSession
  const { claims } = carried
  const events: Changed["events"] = claims === undefined ? [] : [{ kind: "signOut", message: { token: claims } }]
  return { cookies: clearSession, events }
}

/** What a session cookie of the jwt strategy turned out to be. */
type Carried =
  /** The request has no session cookie. */
  | { readonly kind: "none" }
  /** It has one that is no session: `claims` is `null` where a `decode` of the application says so without throwing. */
  | { readonly kind: "broken"; readonly claims?: null }
  | { readonly kind: "token"; readonly claims: JWT }

/** Reads the session token of a request. Whatever fails while it is opened means that it is no session. */
async function readToken(context: Context): Promise<Carried> {
  const { name } = context.cookies.sessionToken
  const { value, names, isTooLarge } = sessionChunks(context.incoming.cookies, name)
  if (isTooLarge) context.log.debug("The session token has too many chunks. It is left unchanged.")
  if (names.length === 0 || isTooLarge) return { kind: "none" }
  if (!value) return { kind: "broken" }
  const { keyring, secret, maxAge, decode } = context.settings.jwt
  try {
    const { now } = context
    if (!decode) {
      return { kind: "token", claims: shown(await open(value, { keyring, salt: name, now })) }
    }
    const params = { token: value, secret, salt: name, maxAge }
    const claims = await askInTime(context, "jwt.decode", () => decode(params))
    return isClaims(claims) ? { kind: "token", claims: shown({ ...claims }) } : { kind: "broken", claims: null }
  } catch (error) {
    context.log.debug("The session token cannot be decrypted.", error)
    if (looksSealed(value) && !(error instanceof TokenNotValidNow)) reportUnopened(context, error)
    return { kind: "broken" }
  }
}

/** A token in compact form (RFC 7515 §3.1, RFC 7516 §3.1), for whichever secret: its header is an object in JSON. Rubbish needs no report. */
function looksSealed(value: string): boolean {
  return value.startsWith("eyJ")
}

const minute = 60_000

/** Once a minute at most: after a change of the secret every visitor brings such a cookie, and a stranger may bring any. */
function reportUnopened({ settings, now, log }: Context, error: unknown): void {
  const { caches, config } = settings
  const logger: object | string = config.logger ?? "console"
  const last = caches.reported.get(logger, "session-token")
  if (last !== undefined && now.getTime() - last < minute) return
  caches.reported.set(logger, "session-token", now.getTime())
  log.error(
    new JWTSessionError(
      "A session cookie could not be decrypted with the configured secrets: it was made with another secret, or was changed " +
        "on its way. Its user is signed out. This is logged at most once a minute.",
      { cause: { err: asError(error) } },
    ),
  )
}

/** Seals claims into the session cookie. */
async function writeToken(context: Context, claims: JWT): Promise<readonly CookieChange[]> {
  const { settings, now, cookies } = context
  const { keyring, secret, maxAge, encode } = settings.jwt
  const salt = cookies.sessionToken.name
  const token = sealed(claims)
  const params = { token, secret, salt, maxAge }
  const value: unknown = encode
    ? await askInTime(context, "jwt.encode", () => encode(params))
    : await seal(token, { keyring, salt, maxAge, now })
  if (typeof value !== "string")
    throw new InvalidConfiguration(`\`jwt.encode\` must return a string, not ${typeof value}.`)
  if (!fitsCookies(value, cookies.sessionToken)) {
    throw new InvalidConfiguration(
      `The session token has ${value.length} characters, more than cookies can hold: store less in it, or store sessions in a database.`,
    )
  }
  return [{ role: "sessionToken", value, expires: secondsAfter(now, settings.sessionMaxAge) }]
}
