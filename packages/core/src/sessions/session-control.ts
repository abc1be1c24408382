/** What can be done to a session beside reading it, whichever strategy keeps it. */
import type { Context } from "../context/context.js"
import type { CookieChange } from "../http/result.js"
import type { SessionRecord } from "../ledger/session.js"
import type { SessionFacts } from "../types/session-facts.js"

/** The session of the request. */
export interface SessionHere {
  readonly userId: string
  readonly facts: SessionFacts
  /** The keys of its records; none for a token from before sessions were managed. */
  readonly keys: readonly string[]
}

/** What differs between the strategies. */
export interface SessionControl {
  /** The session of the request; `null` when there is none. */
  current(context: Context): Promise<SessionHere | null>
  /** Gives the session of the request a new token; `null`: it has ended, or another request did. */
  rotate(context: Context): Promise<readonly CookieChange[] | null>
  /** The records of a user's sessions that live. */
  list(context: Context, userId: string): Promise<readonly SessionRecord[]>
  /** Ends the session of a record. */
  end(context: Context, record: SessionRecord): Promise<void>
  /** Ends all sessions of a user, and says how many had records. */
  endAll(context: Context, userId: string): Promise<number>
  /** Ends all sessions of a user that have no record. */
  endEarlier(context: Context, userId: string): Promise<void>
}
