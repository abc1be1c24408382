/** The claims of a session token and how to seal and open them. Lives apart so that `JWT` can be augmented through the door `jwt`. */
import type { Awaitable } from "./identity.js"

/** The claims every session token may have. */
export interface DefaultJWT extends Record<string, unknown> {
  /** Display name of the user. */
  name?: string | null
  /** E-mail address of the user. */
  email?: string | null
  /** Address of a picture of the user. */
  picture?: string | null
  /** Id of the user (subject). */
  sub?: string
  /** When the token was made, in seconds since 1970. */
  iat?: number
  /** When the token ends, in seconds since 1970. */
  exp?: number
  /** Id of the token. */
  jti?: string
}

/** The claims of a session token. Open for augmentation. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/** What {@link JWTOptions.encode} is given. */
export interface JWTEncodeParams<Payload = JWT> {
  /** The claims to seal. */
  token?: Payload | undefined
  /** The secret, or a list of them, newest first: the first one seals. */
  secret: string | string[]
  /** Separates tokens of different purposes; for the session it is the cookie's name. */
  salt: string
  /** Lifetime in seconds. @default 2592000 */
  maxAge?: number | undefined
}

/** What {@link JWTOptions.decode} is given. */
export interface JWTDecodeParams {
  /** The sealed token, as the cookie carried it. */
  token?: string | undefined
  /** The secret, or a list of them: the one that fits opens. */
  secret: string | string[]
  /** Separates tokens of different purposes; for the session it is the name of the cookie. */
  salt: string
}

/** How session tokens are made. */
export interface JWTOptions {
  /** A secret of its own for session tokens, or a list of them. @default the configuration's `secret` */
  secret: string | string[]
  /** Lifetime in seconds. @default `session.maxAge` */
  maxAge: number
  /**
   * Replaces the sealing of the session token. Keep all claims, also those that you do not know: without `lk` a session does
   * not begin that would have to end when the owner of its address comes, and no managed one. @default encrypts (JWE)
   */
  encode: (params: JWTEncodeParams) => Awaitable<string>
  /** Replaces the opening of the session token. A throw means that the token is invalid. @default decrypts (JWE) */
  decode: (params: JWTDecodeParams) => Awaitable<JWT | null>
}
