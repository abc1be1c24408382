/** The feature that lets sessions be listed, ended and renewed, as an application holds it. */
import { sessionRows } from "../actions/sessions.js"
import type { Context } from "../context/context.js"
import { actAs, type ControlResult, endAll, endOne, endOthers, listEntries, rotate } from "../sessions/control.js"
import type { Cookie } from "../types/config.js"
import type { Feature } from "../types/feature.js"
import type { ManagedSessionsOptions, SessionEntry } from "../types/managed-sessions.js"
import { handOver } from "./changed-source.js"
import type { AuthService, AuthSource } from "./public.js"
import { contextOfSessions } from "./request-sessions.js"

/** What a change of sessions came to. */
export interface SessionChange {
  /**
   * `false`: there was nothing to change, because nobody is signed in, another request has just replaced their token, or there is no
   * such session or user.
   */
  readonly done: boolean
  /** To be set. Further calls with the same source read them already. */
  readonly cookies: readonly Cookie[]
}

/**
 * Sessions that can be listed and ended. All functions throw an `AuthError` when that cannot be determined or done, such as
 * an `AdapterError` while the store of records is away. In this process the caller is trusted: no CSRF token and no policy
 * is asked for.
 */
export interface ManagedSessions extends Feature {
  /** The sessions of the signed-in user, newest first; one of them has `current: true`. Empty when nobody is signed in. */
  list(auth: AuthService<unknown>, source: AuthSource): Promise<readonly SessionEntry[]>
  /** Ends one session of the signed-in user by its public id, the current one as well. Somebody else's id is not found. */
  end(auth: AuthService<unknown>, source: AuthSource, id: string): Promise<SessionChange>
  /** Ends all other sessions of the signed-in user, and gives this one a new token. */
  endOthers(auth: AuthService<unknown>, source: AuthSource): Promise<SessionChange>
  /**
   * Ends all sessions of a user: they left, were blocked, lost a device, changed the password. No request is needed. Where a
   * `jwt` callback changes `sub`, `userId` is what it puts there.
   */
  endAll(auth: AuthService<unknown>, userId: string): Promise<{ readonly ended: number }>
  /**
   * A new token for the same session; the old one is read for 30 seconds, and changes nothing but that it can sign out. Call it
   * when the rights of the user change.
   */
  rotate(auth: AuthService<unknown>, source: AuthSource): Promise<SessionChange>
  /**
   * The signed-in user acts for another one: a new session of that user, 30 minutes long, which names the actor and has no proofs.
   * It replaces the session of the request, and ends with all sessions of the actor (`endAll`). Who may do that is for the caller to
   * decide.
   */
  actAs(auth: AuthService<unknown>, source: AuthSource, userId: string): Promise<SessionChange>
}

/**
 * Sessions that can be listed and ended, with both strategies. Needs a store of records: the adapter where it keeps them,
 * else `records` of the configuration.
 *
 * @example
 * ```ts
 * import { createAuth } from "@latchkey/core"
 * import { memoryAdapter } from "@latchkey/core/memory"
 * import { managedSessions } from "@latchkey/core/sessions"
 *
 * export const sessions = managedSessions()
 * export const auth = createAuth({ providers: [], adapter: memoryAdapter(), features: [sessions] })
 *
 * const devices = (request: Request) => sessions.list(auth, request)
 * ```
 */
export function managedSessions(options: ManagedSessionsOptions = {}): ManagedSessions {
  return Object.freeze<ManagedSessions>({
    name: "sessions",
    needs: ["facts", "records"],
    rows: sessionRows,
    sessions: Object.freeze({ ...options }),
    list: async (auth, source) => listEntries(contextOfSessions(auth, source)),
    end: async (auth, source, id) => changed(auth, source, (context) => endOne(context, id)),
    endOthers: async (auth, source) => changed(auth, source, endOthers),
    rotate: async (auth, source) => changed(auth, source, rotate),
    actAs: async (auth, source, userId) => changed(auth, source, (context) => actAs(context, userId)),
    async endAll(auth, userId) {
      const context = contextOfSessions(auth, { headers: {}, secure: true })
      return { ended: await endAll(context, userId) }
    },
  })
}

async function changed(
  auth: AuthService<unknown>,
  source: AuthSource,
  work: (context: Context) => Promise<ControlResult>,
): Promise<SessionChange> {
  const context = contextOfSessions(auth, source)
  const result = await work(context)
  return { done: result.count > 0, cookies: handOver({ auth, source }, result.cookies, context) }
}
