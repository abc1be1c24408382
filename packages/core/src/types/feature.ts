/** Features: values that an application lists in its configuration, each of which switches something on and brings its endpoints. */
import type { ManagedSessionsOptions } from "./managed-sessions.js"
import type { PasskeysOptions } from "./passkeys.js"

/**
 * What a feature cannot do without. `facts`: what each session rests on is kept with it. `records`: a store of records.
 */
export type FeatureNeed = "facts" | "records"

/** The endpoints below the base path that features bring. */
export type FeatureAction = "sessions" | "passkeys"

/** An endpoint that a feature brings. What `act` is, the engine knows. */
export interface FeatureRow<Act = unknown> {
  readonly method: "GET" | "POST"
  readonly action: FeatureAction
  /** The request must carry the CSRF token. */
  readonly csrf: boolean
  /** Who reads the answers, failures included: a script gets JSON; a person gets a page where the browser asks for one. */
  readonly audience: "script" | "person"
  readonly act: Act
}

/** Something that is off until it is listed in `features`. Made by functions such as `managedSessions`. */
export interface Feature {
  /** No two features of one configuration have the same. */
  readonly name: string
  /** What the feature needs of the configuration, such as records. */
  readonly needs: readonly FeatureNeed[]
  /** The endpoints it adds to the route table. */
  readonly rows: readonly FeatureRow[]
  /** What it asks of sessions, where it manages them. */
  readonly sessions?: ManagedSessionsOptions
  /** What it asks of who adds and removes passkeys, where it serves them. */
  readonly passkeys?: PasskeysOptions
}
