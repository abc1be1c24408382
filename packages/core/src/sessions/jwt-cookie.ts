/** The session cookie of the jwt strategy: what it carries, and how claims are sealed into it. */
import { askInTime } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { chain } from "../crypto/cipher.js"
import { open, seal, TokenNotValidNow, tolerance } from "../crypto/jwe.js"
import { InvalidConfiguration, JWTSessionError } from "../errors.js"
import { fitsCookies, sessionChunks } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { asError } from "../ports/thrown.js"
import { isThenable } from "../std/deadline.js"
import { fromModule } from "../std/lazy.js"
import { secondsAfter, toSeconds } from "../std/time.js"
import type { Awaitable } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import { isClaims, sealed, shown } from "./callbacks.js"
import { isClaim, readClaim } from "./facts-claim.js"
import { namesUser } from "./user-id.js"

const expectKept = fromModule(
  () => import("./kept-claim.js"),
  (module) => module.expectKept,
)

/** What a session cookie of the jwt strategy turned out to be. */
export type Carried =
  /** The request has no session cookie. */
  | { readonly kind: "none" }
  /** It has one that is no session: `claims` is `null` where a `decode` of the application says so without throwing. */
  | { readonly kind: "broken"; readonly claims?: null }
  | { readonly kind: "token"; readonly claims: JWT }

/** Reads the session token of a request, at once where that needs no promise. Whatever fails while it is opened means that it is no session. */
export function readToken(context: Context): Awaitable<Carried> {
  const { name } = context.cookies.sessionToken
  const { value, names, isTooLarge } = sessionChunks(context.incoming.cookies, name)
  if (isTooLarge) context.log.debug("The session token has too many chunks. It is left unchanged.")
  if (names.length === 0 || isTooLarge) return { kind: "none" }
  if (!value) return { kind: "broken" }
  try {
    const carried = openToken(context, value)
    return isThenable(carried) ? openedLater(context, value, carried) : carried
  } catch (error) {
    return broken(context, value, error)
  }
}

async function openedLater(context: Context, value: string, carried: PromiseLike<Carried>): Promise<Carried> {
  try {
    return await carried
  } catch (error) {
    return broken(context, value, error)
  }
}

function broken(context: Context, value: string, error: unknown): Carried {
  context.log.debug("The session token cannot be decrypted.", error)
  if (looksSealed(value) && !(error instanceof TokenNotValidNow)) reportUnopened(context, error)
  return { kind: "broken" }
}

function openToken(context: Context, value: string): Awaitable<Carried> {
  const { jwt, options } = context.settings
  const { keyring, secret } = jwt
  const { "jwt.maxAge": maxAge, "jwt.decode": decode } = options
  const { name } = context.cookies.sessionToken
  if (!decode) {
    const opened = open(value, { keyring, salt: name, now: context.now })
    return chain(opened, (claims) => (isOver(context, claims) ? { kind: "broken" } : carriedBy(context, shown(claims))))
  }
  const params = { token: value, secret, salt: name, maxAge }
  return chain(
    askInTime(context, "jwt.decode", () => decode(params)),
    (claims) => (isClaims(claims) ? carriedBy(context, shown({ ...claims })) : { kind: "broken", claims: null }),
  )
}

/**
 * A token may live longer than its session (`jwt.maxAge`): whoever has kept a copy is nobody once the session has ended. Not
 * asked of a `decode` of the application: its tokens may keep the `iat` of the sign-in however often they are extended.
 */
function isOver(context: Context, claims: JWT): boolean {
  return secondsAfter(endOf(context, claims), tolerance) <= context.now
}

/**
 * Where sessions are not managed, nothing would say any more that somebody acts for the user, and when that ends. A list with the
 * id of a user, which callbacks could seal, is not that user.
 */
function carriedBy(context: Context, claims: JWT): Carried {
  if (!namesUser(claims)) return { kind: "broken" }
  const isLost = claims["lk"] !== undefined && !context.settings.features.sessions && isActing(claims)
  return isLost ? { kind: "broken" } : { kind: "token", claims }
}

/** A token in compact form (RFC 7515 §3.1, RFC 7516 §3.1), for whichever secret: its header is an object in JSON. Other values are not reported. */
function looksSealed(value: string): boolean {
  return value.startsWith("eyJ")
}

const minute = 60_000

/** Once a minute at most: after a change of the secret every visitor sends such a cookie, and anybody can send one. */
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

/** Was the token made so long ago that it has to be sealed anew? */
export function isDue({ settings, now }: Context, { iat }: JWT): boolean {
  return typeof iat !== "number" || toSeconds(now) - iat >= settings.options["session.updateAge"]
}

/** The cookie lives by `session.maxAge`, the token in it by `jwt.maxAge`: the session ends with the first of them. */
export function endOfNew({ settings, now }: Context): Date {
  return secondsAfter(now, Math.min(settings.options["session.maxAge"], settings.options["jwt.maxAge"]))
}

/** A token of the application's own `encode` need not say when it was made, nor when it ends. */
export function endOf({ settings, now }: Context, { iat, exp }: JWT): Date {
  const begun = typeof iat === "number" ? iat : toSeconds(now)
  const end = begun + settings.options["session.maxAge"]
  return new Date((typeof exp === "number" ? Math.min(exp, end) : end) * 1000)
}

const isActing = (claims: JWT): boolean => readClaim(claims["lk"]).facts?.actor !== undefined

/** Seals claims into the session cookie. `until`: the session ends then, if not before. */
export async function writeToken(context: Context, claims: JWT, until?: Date): Promise<readonly CookieChange[]> {
  const { settings, now, cookies } = context
  const { keyring, secret } = settings.jwt
  const encode = settings.options["jwt.encode"]
  const left = until === undefined ? Number.POSITIVE_INFINITY : Math.ceil((until.getTime() - now.getTime()) / 1000)
  const maxAge = Math.min(settings.options["jwt.maxAge"], left)
  const salt = cookies.sessionToken.name
  const token = sealed(claims)
  const params = { token, secret, salt, maxAge }
  const value: unknown = encode
    ? await askInTime(context, "jwt.encode", () => encode(params))
    : await seal(token, { keyring, salt, maxAge, now })
  if (typeof value !== "string")
    throw new InvalidConfiguration(`\`jwt.encode\` must return a string, not ${typeof value}.`)
  if (encode && value !== "" && isClaim(claims["lk"]))
    await expectKept(context, claims, () => openToken(context, value))
  if (!fitsCookies(value, cookies.sessionToken)) {
    throw new InvalidConfiguration(
      `The session token has ${value.length} characters, more than cookies can hold: store less in it, or store sessions in a database.`,
    )
  }
  return [
    { role: "sessionToken", value, expires: secondsAfter(now, Math.min(settings.options["session.maxAge"], left)) },
  ]
}
