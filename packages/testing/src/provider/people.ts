/** The people a test provider knows. */

/** A person at a provider: claims of OpenID Connect Core §5.1, and any others. */
export interface Person {
  readonly sub: string
  readonly name?: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly [claim: string]: unknown
}

/** A person of {@link people}. */
export interface KnownPerson extends Person {
  readonly name: string
  readonly email: string
  readonly email_verified: boolean
}

/** The person of a provider for which none is named. */
export const people: readonly [KnownPerson, KnownPerson] = [
  { sub: "ada", name: "Ada Lovelace", email: "ada@op.example", email_verified: true },
  { sub: "grace", name: "Grace Hopper", email: "grace@op.example", email_verified: true },
]
