/** The session token as bytes in the cookie and as claims in the hands of callbacks. */
import type { Context } from "../context/context.js"
import { OutOfTime, open, seal } from "../crypto/jwe.js"
import { InvalidConfiguration, JWTSessionError } from "../errors.js"
import { fitsCookies, sessionChunks } from "../http/cookies.js"
import type { CookieChange } from "../http/result.js"
import { asError } from "../ports/thrown.js"
import { secondsAfter } from "../std/time.js"
import type { JWT } from "../types/token.js"

/** What a session cookie of the jwt strategy turned out to be. */
export type Carried =
  /** The request has no session cookie. */
  | { readonly kind: "none" }
  /** It has one that is no session: `claims` is `null` where a `decode` of the application says so without throwing. */
  | { readonly kind: "broken"; readonly claims?: null }
  | { readonly kind: "token"; readonly claims: JWT }

/** Reads the session token of a request. Whatever fails while it is opened means that it is no session. */
export async function readToken(context: Context): Promise<Carried> {
  const { name } = context.cookies.sessionToken
  const { value, names, isTooLarge } = sessionChunks(context.incoming.cookies, name)
  if (isTooLarge) context.log.debug("The session token has more parts than are read. It is left as it is.")
  if (names.length === 0 || isTooLarge) return { kind: "none" }
  if (!value) return { kind: "broken" }
  const { keyring, secret, maxAge, decode } = context.settings.jwt
  try {
    const { now } = context
    if (!decode) {
      return { kind: "token", claims: shown(await open(value, { keyring, salt: name, now })) }
    }
    const params = { token: value, secret, salt: name, maxAge }
    const claims = await decode(params)
    return isClaims(claims) ? { kind: "token", claims: shown({ ...claims }) } : { kind: "broken", claims: null }
  } catch (error) {
    context.log.debug("The session token cannot be opened.", error)
    if (looksSealed(value) && !(error instanceof OutOfTime)) reportUnopened(context, error)
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
      "A session cookie could not be opened with the configured secrets: it was made with another secret, or changed " +
        "on its way. Its owner is signed out. This is said at most once a minute.",
      { cause: { err: asError(error) } },
    ),
  )
}

/** Seals claims into the session cookie. */
export async function writeToken(context: Context, claims: JWT): Promise<readonly CookieChange[]> {
  const { settings, now, cookies } = context
  const { keyring, secret, maxAge, encode } = settings.jwt
  const salt = cookies.sessionToken.name
  const token = sealed(claims)
  const params = { token, secret, salt, maxAge }
  const value: unknown = encode ? await encode(params) : await seal(token, { keyring, salt, maxAge, now })
  if (typeof value !== "string")
    throw new InvalidConfiguration(`\`jwt.encode\` must return a text, not ${typeof value}.`)
  if (!fitsCookies(value, cookies.sessionToken)) {
    throw new InvalidConfiguration(
      `The session token has ${value.length} characters, more than cookies can carry: keep less in it, or keep sessions in a database.`,
    )
  }
  return [{ role: "sessionToken", value, expires: secondsAfter(now, settings.sessionMaxAge) }]
}

/** The token as callbacks see it: with `image`, which existing tokens carry under the name `picture` alone. */
export function shown(claims: JWT): JWT {
  return claims.picture === undefined || "image" in claims ? claims : { ...claims, image: claims.picture }
}

/** The token as it is kept: `image` only where it differs from `picture`. */
export function sealed(claims: JWT): JWT {
  if (!("image" in claims) || claims.image !== claims.picture) return claims
  const { image, ...rest } = claims
  return rest
}

/**
 * Lets `image` follow a callback that writes to `picture` alone, the name that existing callbacks know.
 * Where it writes to both, they are kept apart and `image` counts.
 */
export function followPicture(claims: JWT, before: JWT): JWT {
  const wasOne = before.image === before.picture
  const isPictureAlone = claims.image === before.image && claims.picture !== before.picture
  return wasOne && isPictureAlone && "image" in claims ? { ...claims, image: claims.picture } : claims
}

/** The claims without those that every sealing sets anew, as text that can be compared. */
export function fingerprint(claims: JWT): string {
  const { iat, exp, jti, ...rest } = sealed(claims)
  return JSON.stringify(rest)
}

/** Anything but an object holds no claims. */
export function isClaims(value: unknown): value is JWT {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
