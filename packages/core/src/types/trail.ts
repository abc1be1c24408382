/** The trail: what happened, as typed entries for audits, alarms and tests. */

/** What an entry is about. `fault`: something else than a sign-in failed and the visitor did not cause it. */
export type TrailFact =
  | "signIn"
  | "signInFailed"
  | "signOut"
  | "sessionEnded"
  | "sessionRotated"
  | "accountLinked"
  | "userCreated"
  | "limited"
  | "fault"

/** One thing that happened. Frozen; holds no secret and no address of a mailbox. */
export interface TrailEntry {
  /** When the request came, by the clock of the service. */
  readonly at: Date
  /** What happened. */
  readonly what: TrailFact
  /** `refused`: for a reason that a visitor can cause. `fault`: the application or a service it needs failed. */
  readonly outcome: "done" | "refused" | "fault"
  /** Whom it is about, where that was proven: the id of the user. */
  readonly userId?: string
  /** Who acted, where that was somebody else than the user: the id of the one who acts for them. */
  readonly actor?: string
  /** Public id of a managed session that was ended or got a new token; absent where all of a user's were ended. */
  readonly sessionId?: string
  /** Who was claimed in vain: a keyed hash of the address or name that was typed, the same for the same person. */
  readonly claimed?: string
  /** Id of the provider. */
  readonly provider?: string
  /** Of a fault: the id in the log and on the page. */
  readonly incident?: string
  /** The `type` of the `AuthError` that it ended with, such as `CredentialsSignin`. */
  readonly reason?: string
  /** What is known of the client. */
  readonly client: {
    /** The IPv4 address, or the first 64 bits of the IPv6 address; absent where unknown or not public. */
    readonly network?: string
    /** The first 256 characters of `User-Agent`: the visitor chose them. */
    readonly userAgent?: string
  }
}
