/** Managed sessions for one request: what an integration calls for a route of an application. */
import type { Context } from "../context/context.js"
import { requireCsrf } from "../context/csrf.js"
import { AdapterError, type AuthError, InvalidConfiguration, JWTSessionError, SessionTokenError } from "../errors.js"
import { craftIncoming } from "../http/incoming.js"
import { actAs, type ControlResult, endAll, endOne, endOthers, listEntries, rotate } from "../sessions/control.js"
import { kindOf } from "../std/kind-of.js"
import type { Cookie } from "../types/config.js"
import type { Awaitable } from "../types/identity.js"
import type { SessionEntry } from "../types/managed-sessions.js"
import { asChanged, handOver } from "./changed-source.js"
import { contextOfCall } from "./pipeline.js"
import type { AuthService, AuthSource, SignInCall } from "./public.js"
import { requiredSettingsOf } from "./service.js"

/**
 * Managed sessions as routes of an application call them: `At` is what an integration takes of a request, `Options` what may
 * follow. Cookies are set on the answer. All functions throw an `AuthError` when that cannot be determined or done: while the
 * store is away the same as reading a session does, with `status` 503, and no cookie is set. They need `managedSessions()` in
 * `features`.
 */
export interface SessionsOfRoute<At extends readonly unknown[], Options extends readonly unknown[] = []> {
  /** The sessions of the signed-in user, newest first; one of them has `current: true`. Empty when nobody is signed in. */
  list(...at: At): Promise<readonly SessionEntry[]>
  /**
   * Ends one session of the signed-in user by its public id, the current one as well. `false`: nobody is signed in, or they
   * have no such session.
   */
  end(...given: [...at: At, id: string, ...options: Options]): Promise<boolean>
  /** Ends all other sessions of the signed-in user, and gives this one a new token. `false`: there was no other, or this token has just been replaced. */
  endOthers(...given: [...at: At, ...options: Options]): Promise<boolean>
  /**
   * Ends all sessions of a user, and says how many were listed. Who may do that is for the caller to decide. Where a `jwt`
   * callback changes `sub`, `userId` is what it puts there.
   */
  endAll(...given: [...at: At, userId: string, ...options: Options]): Promise<number>
  /** A new token for the same session; the old one is read for 30 seconds, and changes nothing but that it can sign out. `false`: nobody is signed in. */
  rotate(...given: [...at: At, ...options: Options]): Promise<boolean>
  /**
   * The signed-in user acts for another one: a session of that user replaces this one, as in `ManagedSessions`. `false`:
   * nobody is signed in, or there is no such user. Who may do that is for the caller to decide.
   */
  actAs(...given: [...at: At, userId: string, ...options: Options]): Promise<boolean>
}

/** What an integration knows of the request, and how it sets cookies. */
export interface SessionsCall extends Pick<SignInCall, "fields" | "sender" | "address"> {
  /** Sets cookies on the answer. Not called when there are none. */
  readonly setCookies: (cookies: readonly Cookie[]) => Awaitable<void>
}

/**
 * Managed sessions for one request. With `sender` what changes something is checked like a request, without it the caller
 * is trusted.
 */
export function sessionsOfRequest(
  auth: AuthService<unknown>,
  source: AuthSource,
  call: SessionsCall,
): SessionsOfRoute<[]> {
  const ask = async <T>(work: (context: Context) => Promise<T>): Promise<T> => {
    const context = contextOfSessions(auth, source, call)
    try {
      return await work(context)
    } catch (error) {
      throw error instanceof AdapterError ? undetermined(context, error) : error
    }
  }
  const change = (work: (context: Context) => Promise<ControlResult>): Promise<boolean> =>
    ask(async (context) => {
      await requireCsrf(context)
      const { count, cookies } = await work(context)
      const handed = handOver({ auth, source }, cookies, context)
      if (handed.length > 0) await call.setCookies(handed)
      return count > 0
    })
  return {
    list: () => ask(listEntries),
    end: (id) => change((context) => endOne(context, id)),
    endOthers: () => change(endOthers),
    rotate: () => change(rotate),
    actAs: (userId) => change((context) => actAs(context, userId)),
    endAll: (userId) =>
      ask(async (context) => {
        await requireCsrf(context)
        return endAll(context, userId)
      }),
  }
}

/**
 * The error of a call that does not begin with what an integration takes of a request: `expected` is how it is called,
 * as `endAll(req, res, userId)`. Of what came only the kinds are named.
 */
export function misuseOfSessions(expected: string, given: readonly unknown[]): AuthError {
  const received = given.length === 0 ? "nothing" : given.map(kindOf).join(", ")
  const without =
    "Without a request, `endAll(auth, userId)` of what managedSessions() returned ends the sessions of a user."
  return new InvalidConfiguration(`auth.sessions: expected ${expected}, received ${received}. ${without}`)
}

/** What reading a session throws while the store is away. */
function undetermined({ settings }: Context, error: AdapterError): Error {
  return settings.strategy === "jwt" ? new JWTSessionError(error) : new SessionTokenError(error)
}

/**
 * The context of a call. @throws InvalidConfiguration when the feature is not listed, and whatever refuses every request.
 */
export function contextOfSessions(
  auth: AuthService<unknown>,
  source: AuthSource,
  { fields, sender, address }: Omit<SessionsCall, "setCookies"> = {},
): Context {
  const settings = requiredSettingsOf(auth)
  const asked = { action: "session", method: "GET", form: fields, sender } as const
  const incoming = craftIncoming(asChanged({ auth, source }, settings), asked, settings)
  const context = contextOfCall({ ...incoming, address }, settings)
  if (!settings.features.sessions) {
    const expected = '"features": expected managedSessions() in the list, received none.'
    throw new InvalidConfiguration(`${expected} Add it to the configuration of this service.`)
  }
  return context
}
