/** Door: seals and opens session tokens outside of a request, and reads the token of a request. */
import { cookieTable } from "./config/cookies.js"
import { open, seal } from "./crypto/jwe.js"
import { createKeyCache, createKeyring, type Keyring } from "./crypto/keyring.js"
import { MissingSecret } from "./errors.js"
import { sessionChunks } from "./http/cookies.js"
import { type HeaderReader, type HeaderSource, readerOf } from "./http/headers.js"
import { parseCookies } from "./std/cookie.js"
import type { LoggerInstance } from "./types/hooks.js"
import type { JWT, JWTDecodeParams, JWTEncodeParams, JWTOptions } from "./types/token.js"

export * from "./types/token.js"

/** Thirty days. */
const defaultMaxAge = 30 * 24 * 60 * 60

/**
 * Seals claims into an encrypted token (A256CBC-HS512, the key derived from secret and salt). With a list of secrets the
 * first one is used. `iat`, `exp` and `jti` are set anew.
 *
 * @example
 * ```ts
 * const token = await encode({ token: { sub: "42" }, secret, salt: "authjs.session-token" })
 * ```
 */
export async function encode<Payload = JWT>(params: JWTEncodeParams<Payload>): Promise<string> {
  const { token = {}, secret, salt, maxAge = defaultMaxAge } = params
  return seal(token as Record<string, unknown>, { keyring: ringOf(secret), salt, maxAge, now: new Date() })
}

/**
 * Opens a token that {@link encode} or the service made. `null` for no token.
 * @throws Error when the token is not whole, was made with another secret or salt, or has ended.
 */
export async function decode<Payload = JWT>(params: JWTDecodeParams): Promise<Payload | null> {
  const { token, secret, salt } = params
  if (!token) return null
  return (await open(token, { keyring: ringOf(secret), salt, now: new Date() })) as Payload
}

/** What {@link getToken} is given. */
export interface GetTokenParams<R extends boolean = false> {
  /** The request, or anything with its headers. */
  req: Request | { headers: HeaderSource }
  /** Use the name of the cookie on https. Set it where the application runs on https. @default false */
  secureCookie?: boolean | undefined
  /** Name of the session cookie. @default the service's own name */
  cookieName?: string | undefined
  /** Answers the sealed token instead of its claims. */
  raw?: R | undefined
  /** Replaces the opening of the token. @default decode */
  decode?: JWTOptions["decode"] | undefined
  /** Taken for compatibility; nothing is logged. */
  logger?: Partial<LoggerInstance> | Console | undefined
  /** The secret of the service, or the list of them. */
  secret?: string | string[] | undefined
  /** Separates tokens of different purposes. @default the name of the cookie */
  salt?: string | undefined
}

/**
 * Reads the session token of a request: from its cookie, else from the header `Authorization: Bearer`. `null` when there
 * is none or it does not open.
 * @throws MissingSecret without a secret.
 *
 * @example
 * ```ts
 * const token = await getToken({ req: request, secret, secureCookie: true })
 * ```
 */
export async function getToken<R extends boolean = false>(
  params: GetTokenParams<R>,
): Promise<(R extends true ? string : JWT) | null> {
  const { req, secret, secureCookie = false, raw, decode: openToken = decode } = params
  const cookieName = params.cookieName ?? cookieTable(secureCookie).sessionToken.name
  if (!req) throw new Error("getToken: the request is missing (req)")
  const headers = readerOf(req.headers)
  const token = sessionChunks(parseCookies(headers.get("cookie")), cookieName).value || bearerOf(headers)
  if (!token) return null
  type Answer = R extends true ? string : JWT
  if (raw) return token as Answer
  if (!secret || secret.length === 0) throw new MissingSecret("getToken: the secret is missing (secret)")
  try {
    return (await openToken({ token, secret, salt: params.salt ?? cookieName })) as Answer | null
  } catch {
    return null
  }
}

/** The credentials after the scheme; a value that cannot be decoded counts as no token. */
function bearerOf(headers: HeaderReader): string | undefined {
  const [scheme, credentials] = headers.get("authorization")?.split(" ") ?? []
  if (scheme !== "Bearer" || !credentials) return undefined
  try {
    return decodeURIComponent(credentials)
  } catch {
    return undefined
  }
}

/**
 * Derived keys of the calls of this door: deriving one takes longer than opening a token. As many as an application with
 * a service for each tenant needs at a time, and the secrets they come from are in memory anyway.
 */
const keys = createKeyCache(256)

function ringOf(secret: string | readonly string[]): Keyring {
  return createKeyring(typeof secret === "string" ? [secret] : secret, keys)
}
