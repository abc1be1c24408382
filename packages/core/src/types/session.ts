/** What an application sees of a signed-in person. */
import type { User } from "./identity.js"

/** The fields every session has. */
export interface DefaultSession {
  /** The signed-in user, as far as clients may see them. */
  user?: User
  /** When the session ends, as ISO 8601 text. */
  expires: string
}

/** The session an application sees. Open for augmentation. */
export interface Session extends DefaultSession {}

/** A member of the user that `session.expose` may name. */
export type Exposable = keyof User & string

/** A session row. */
export interface AdapterSession {
  /** The random look-up value that the session cookie carries. */
  sessionToken: string
  /** Id of the user whose session it is. */
  userId: string
  /** When the session ends. */
  expires: Date
}

/** What a client sent to update its session. It comes from the browser: validate it before use. */
// biome-ignore lint/suspicious/noExplicitAny: applications written for Auth.js take members over into the token without a cast, which `unknown` would forbid
export type SessionUpdate = Partial<Session> & Record<string, any>
