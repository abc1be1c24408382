/** Types for handlers that say themselves what stands in `res.locals`, without opening a global of Express. */
import type { Session, User } from "@latchkey/core/types"

/** A session with a user: what routes behind `requireSession` see. */
export type SignedInSession = Session & { user: User }

/**
 * `res.locals` behind `authSession`, for the last parameter of Express's `RequestHandler` or the second of its
 * `Response`: `(req, res: Response<unknown, SessionLocals>) => …`.
 */
export interface SessionLocals extends Record<string, unknown> {
  /** The session; `null` when the visitor is signed out. */
  session: Session | null
}

/** `res.locals` behind `authSession` and `requireSession`. */
export interface SignedInLocals extends Record<string, unknown> {
  /** The session of the signed-in user. */
  session: SignedInSession
}
