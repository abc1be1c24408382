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
  id?: string
  name?: string | null
  email?: string | null
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
  readonly access_token?: string
  readonly refresh_token?: string
  readonly id_token?: string
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
  readonly access_token?: string
  readonly refresh_token?: string
  readonly id_token?: string
  readonly scope?: string
  readonly expires_in?: number
  readonly token_type?: "bearer" | "dpop" | Lowercase<string>
  session_state?: JsonValue
  /** Id of the provider. */
  provider: string
  /** oauth, oidc: the id the `profile` callback returned; email: the address; credentials: the id `authorize` returned; webauthn: the credential's id. */
  providerAccountId: string
  type: ProviderType
  /** Id of the user who owns the account. */
  userId?: string
  /** When the access token ends, in seconds since 1970. */
  expires_at?: number
  [extra: string]: JsonValue | undefined
}

/** What a provider says of a person (OpenID Connect Core §5.1). Every field is optional; further claims are allowed. */
export interface Profile {
  id?: string | null
  sub?: string | null
  name?: string | null
  given_name?: string | null
  family_name?: string | null
  middle_name?: string | null
  nickname?: string | null
  preferred_username?: string | null
  profile?: string | null
  picture?: unknown
  website?: string | null
  email?: string | null
  email_verified?: boolean | null
  gender?: string | null
  birthdate?: string | null
  zoneinfo?: string | null
  locale?: string | null
  phone_number?: string | null
  updated_at?: Date | string | number | null
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
