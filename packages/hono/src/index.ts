/** Latchkey for Hono: a handler to mount, the session in `c.var`, a guard, and signing in and out from routes. */
import type { AuthService } from "@latchkey/core"
import type { JWT } from "@latchkey/core/jwt"
import type {
  AuthConfigOf,
  DefaultSession,
  Exposable,
  NeedsOf,
  Session,
  SessionOf,
  SessionStrategy,
  TypedConfigOf,
} from "@latchkey/core/types"
import type { Context } from "hono"
import { createHonoAuth } from "./hono-auth.js"
import type { HonoAuthObject } from "./object.js"
import type { FindByContext, Found } from "./source.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { RequireOptions, SignedIn } from "./guard.js"
// Re-exported through the files that applications augment, so that TypeScript includes those files.
export type { JWT } from "./jwt.js"
export type { HonoAuthObject, SignInOptions, SignOutOptions, SignResult } from "./object.js"
export type { RouteCall } from "./route-call.js"
export type { HonoSessions } from "./sessions.js"
export type { HonoAuthConfig } from "./source.js"
export type { Account, DefaultSession, Profile, Session, User } from "./types.js"

/** The same thing for all requests, or a function that finds it for one. */
type SourceOf<T> = T | ((c: Context) => T | PromiseLike<T>)

/** A configuration whose callbacks and providers are read for what they say of the session and of ids. */
type ConfigOf<
  Strategy extends SessionStrategy,
  Token extends JWT,
  Shown extends DefaultSession,
  Id extends string,
  Expose extends Exposable,
> = Omit<AuthConfigOf<Strategy, Token, Shown, Id, Expose>, "raw"> & NeedsOf<Strategy>

/**
 * Makes the handler that answers the actions of the service; mount it with `app.use("/auth/*", auth)`, with `basePath` in
 * the configuration elsewhere. Requests for anything else go on to the next handler.
 *
 * The configuration may be found by a function of the context: on Workers bindings are in `c.env`, where a configuration
 * made so finds its `AUTH_` variables as well. Settings are kept as long as the function returns the same object.
 */
export function HonoAuth<
  Strategy extends SessionStrategy = SessionStrategy,
  Token extends JWT = JWT,
  Shown extends DefaultSession = never,
  Id extends string = string,
  Expose extends Exposable = never,
>(
  config: SourceOf<ConfigOf<Strategy, Token, Shown, Id, Expose>>,
): HonoAuthObject<SessionOf<Strategy, Shown, Expose>, Id>
export function HonoAuth<S, Id extends string>(auth: SourceOf<AuthService<S, Id>>): HonoAuthObject<S, Id>
export function HonoAuth<Strategy extends SessionStrategy, Id extends string>(
  config: SourceOf<Omit<TypedConfigOf<Strategy, Id>, "raw"> & NeedsOf<Strategy>>,
): HonoAuthObject<Session, Id>
export function HonoAuth(given: object): HonoAuthObject {
  return createHonoAuth(given as Found | FindByContext)
}
