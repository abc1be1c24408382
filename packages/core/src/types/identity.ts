/** Who a person is to the application and to a provider: users, accounts and what providers tell of them. */

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** The five ways of proving who one is. */
export type ProviderType = "oidc" | "oauth" | "email" | "credentials" | "webauthn"

/** The provider types for which a client may ask for an answer instead of a redirect (`redirect: false`). */
export type RedirectableProviderType = "email" | "credentials"

/** A version written as `v1`, `v1.2` or `v1.2.3`. */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`

/** The fields every user may have. */
export interface DefaultUser {
  /** Unique identifier of the user. */
  id?: string
  /** Display name. */
  name?: string | null
  /** E-mail address. */
  email?: string | null
  /** Address of a picture. */
  image?: string | null
}

/** The public shape of a user, as a provider's `profile` callback returns it. Open for augmentation. */
export interface User extends DefaultUser {}

/** A user as an adapter stores it. */
export interface AdapterUser extends User {
  /** Unique identifier of the user. */
  id: string
  /** The address; the empty string when no provider has supplied one. */
  email: string
  /** When the person first signed in through an e-mail link; `null` until then. */
  emailVerified: Date | null
}

/** Anything JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue | undefined }

/** What a token endpoint answered (RFC 6749 §5.1), with the lifetime as an absolute time beside it. */
export interface TokenSet {
  /** The access token, for calls to the API of the provider. */
  readonly access_token?: string
  /** The refresh token, where the provider issues one. */
  readonly refresh_token?: string
  /** The ID token of an OpenID provider. */
  readonly id_token?: string
  /** The granted scope, separated by spaces. */
  readonly scope?: string
  /** Lifetime of the access token in seconds, as the provider said it. */
  readonly expires_in?: number
  /** When the access token ends: seconds since 1970, computed from `expires_in`. */
  expires_at?: number
  /** `bearer`, `dpop` or another type, always in lower case. */
  readonly token_type?: "bearer" | "dpop" | Lowercase<string>
  readonly [extra: string]: JsonValue | undefined
}

/** A person's account at a provider: the tokens it gave and which account it is. */
export interface Account {
  /** The access token, as the provider sent it. */
  readonly access_token?: string
  /** The refresh token, as the provider sent it. */
  readonly refresh_token?: string
  /** The ID token, as the provider sent it. */
  readonly id_token?: string
  /** The granted scope, separated by spaces. */
  readonly scope?: string
  /** Lifetime of the access token in seconds, as the provider sent it. */
  readonly expires_in?: number
  /** `bearer`, `dpop` or another type, always in lower case. */
  readonly token_type?: "bearer" | "dpop" | Lowercase<string>
  /** The session at the provider (OpenID Connect Session Management). */
  session_state?: JsonValue
  /** Id of the provider. */
  provider: string
  /** oauth, oidc: the id the `profile` callback returned; email: the address; credentials: the id `authorize` returned; webauthn: the credential's id. */
  providerAccountId: string
  /** The type of the provider. */
  type: ProviderType
  /** Id of the user who owns the account. */
  userId?: string
  /** When the access token ends, in seconds since 1970. */
  expires_at?: number
  [extra: string]: JsonValue | undefined
}

/** What a provider says of a person (OpenID Connect Core §5.1). Every field is optional; further claims are allowed. */
export interface Profile {
  /** The id of the person at a provider of plain OAuth. */
  id?: string | null
  /** The id of the person at an OpenID provider (subject). */
  sub?: string | null
  /** Full name. */
  name?: string | null
  /** Given names. */
  given_name?: string | null
  /** Family names. */
  family_name?: string | null
  /** Middle names. */
  middle_name?: string | null
  /** Casual name. */
  nickname?: string | null
  /** User name that the person prefers. Not unique, and it may change. */
  preferred_username?: string | null
  /** Address of the profile page. */
  profile?: string | null
  /** Address of a picture. */
  picture?: unknown
  /** Address of a web site of the person. */
  website?: string | null
  /** Preferred e-mail address. It may be unverified, and it may change. */
  email?: string | null
  /** Whether the provider has verified the address. */
  email_verified?: boolean | null
  /** Gender, such as `female` or `male`. */
  gender?: string | null
  /** Birthday as `YYYY-MM-DD`; the year may be `0000` or stand alone. */
  birthdate?: string | null
  /** Time zone, such as `Europe/Paris`. */
  zoneinfo?: string | null
  /** Language tag, such as `en-US`. */
  locale?: string | null
  /** Preferred telephone number. */
  phone_number?: string | null
  /** When the profile was last changed: seconds since 1970 by the standard, other forms at some providers. */
  updated_at?: Date | string | number | null
  /** Preferred postal address. */
  address?: {
    formatted?: string | null
    street_address?: string | null
    locality?: string | null
    region?: string | null
    postal_code?: string | null
    country?: string | null
  } | null
  [claim: string]: unknown
}
