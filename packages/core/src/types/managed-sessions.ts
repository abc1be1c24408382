/** Sessions that can be listed and ended: the options of the feature, and what a list shows. */
import type { Awaitable, ProviderType } from "./identity.js"
import type { Policy } from "./session-facts.js"

/** What is known of the browser that a session begins in. */
export interface ClientFacts {
  /** The header `User-Agent`; `undefined` without one. */
  readonly userAgent: string | undefined
  /** Where the request came from, as far as the integration knows it. */
  readonly address: string | undefined
}

/** Options of `managedSessions`. */
export interface ManagedSessionsOptions {
  /**
   * jwt strategy: seconds that one process may believe in a session without asking the records again, so that a session
   * which another process ended is read no longer than that. Requests that change something ask them each time: sessions,
   * accounts and passkeys, signing in and out, and `update`. So do sessions of users whose id is a number, or shorter than 20
   * characters: a store may give such an id to the next user, whom the session of the one before would then sign in as.
   * @default 0
   */
  readonly staleness?: number | undefined
  /**
   * How many sessions somebody may have at once: one more, and the oldest ends, once the new one has begun. A sign-in does not
   * fail because that one cannot be ended; the log says so. Of sign-ins at the same moment, as many stay as may be there.
   * @default any number
   */
  readonly atMost?: number | undefined
  /**
   * What is kept of the browser and shown in the list: short texts by name.
   * @default `userAgent`, the first 256 characters of that header; no address
   */
  readonly describe?: ((client: ClientFacts) => Awaitable<Readonly<Record<string, string>>>) | undefined
  /**
   * What ending other sessions over HTTP asks of the session that asks, and adding an account or a passkey to its user, where
   * `passkeys` is not listed. @default { maxAge: 900, passive: true }
   */
  readonly policy?: Policy | undefined
}

/** A session as a list shows it. Nothing in it opens anything. */
export interface SessionEntry {
  /** The public name of the session. */
  readonly id: string
  /** Is it the session of whoever asks? */
  readonly current: boolean
  /** When the session began. */
  readonly startedAt: Date
  /** When it was last extended; the same as `startedAt` for a session that was never extended. */
  readonly seenAt: Date
  /** When it ends, unless it is extended. */
  readonly expires: Date
  /** What it began with. */
  readonly via?: { readonly provider: string; readonly type: ProviderType }
  /** How strong its proofs are. */
  readonly acr?: "mfa" | "phr"
  /** Who really acts, where somebody acts for the user. */
  readonly actor?: string
  /** What is kept of the browser. */
  readonly client: Readonly<Record<string, string>>
}
