/** The people a test provider knows. */

/** A person at a provider: claims of OpenID Connect Core §5.1, and any others. */
export interface Person {
  /** The id that the provider has for the person. */
  readonly sub: string
  /** Full name. */
  readonly name?: string
  /** E-mail address. */
  readonly email?: string
  /** Whether the provider says that the address is theirs. */
  readonly email_verified?: boolean
  readonly [claim: string]: unknown
}

/** A person of {@link people}. */
export interface KnownPerson extends Person {
  /** Full name. */
  readonly name: string
  /** E-mail address. */
  readonly email: string
  /** Whether the provider says that the address is theirs. */
  readonly email_verified: boolean
}

/** The person of a provider for which none is named. */
export const people: readonly [KnownPerson, KnownPerson] = [
  { sub: "ada", name: "Ada Lovelace", email: "ada@op.example", email_verified: true },
  { sub: "grace", name: "Grace Hopper", email: "grace@op.example", email_verified: true },
]
