/** What a session rests on, and what may be asked of it. */
import type { ProviderType } from "./identity.js"

/** What a session rests on. Kept by the service; no callback can write to it. */
export interface SessionFacts {
  /** Public name of the session: 128 random bits as base64url. Safe to show; opens nothing. */
  readonly id: string
  /**
   * Further names of a session in a sealed cookie from before sessions were managed, while there are several secrets: an
   * instance with another one in front knows it by one of these. @default none
   */
  readonly otherIds?: readonly string[]
  /** When the person first proved who they are, in seconds since 1970. */
  readonly startedAt: number
  /** The newest proof of each kind. Empty for a session from before facts were kept. */
  readonly proofs: readonly SessionProof[]
  /** Who really acts, where somebody acts for the user: their id. */
  readonly actor?: string
}

/** One proof of who somebody is. */
export interface SessionProof {
  /** The type of the provider by which it was given. */
  readonly how: ProviderType
  /** Id of the provider. */
  readonly provider?: string
  /** When somebody actively did it, in seconds since 1970. */
  readonly at: number
  /** A redirect that may have been answered without asking anybody: the provider said no `auth_time`. */
  readonly passive?: true
  /** Strong by itself: "mfa", more than one factor; "phr", resistant to phishing (EAP ACR Values 1.0). */
  readonly acr?: "mfa" | "phr"
}

/** What an endpoint asks of a session, in the words of OpenID Connect Core 1.0 (§3.1.2.1 `max_age`, §2 `acr`). */
export interface Policy {
  /**
   * How strong the proofs have to be: "mfa", more than one factor; "phr", resistant to phishing. No sign-in reaches either so far,
   * because a session rests on one proof, whose strength nobody states: in the `policy` of a feature it is a warning.
   */
  readonly acr?: "mfa" | "phr"
  /** Seconds since somebody actively proved who they are, with that strength. @default any time */
  readonly maxAge?: number
  /** A redirect counts as well that may have been answered without asking anybody. @default false */
  readonly passive?: boolean
}
