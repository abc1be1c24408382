/** Latchkey for Next.js: the handlers, `auth` in every place of both routers, and signing in and out from server actions. */
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
import type { NextRequest } from "next/server.js"
import { createNextAuth } from "./next-auth.js"
import type { NextAuthResult } from "./object.js"
import type { Authorized, Given } from "./source.js"

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
// Re-exported through the files that applications augment, so that TypeScript includes those files.
export type { JWT } from "./jwt.js"
export type {
  AuthFunction,
  NextAuthRequest,
  NextAuthResult,
  NextSignInView,
  RouteContext,
  SearchParams,
  SignInFunction,
  SignInOptions,
  SignOutFunction,
  SignOutOptions,
} from "./object.js"
export type { NextAuthConfig } from "./source.js"
export type { Account, DefaultSession, Profile, Session, User } from "./types.js"

/** The same for all requests, or a function that makes it for one; server components and actions have no request. */
type SourceOf<Config> = Config | ((request: NextRequest | undefined) => Config | PromiseLike<Config>)

/** A configuration whose callbacks and providers are read for what they say of the session and of ids. */
type ConfigOf<
  Strategy extends SessionStrategy,
  Token extends JWT,
  Shown extends DefaultSession,
  Id extends string,
  Expose extends Exposable,
> = Omit<AuthConfigOf<Strategy, Token, Shown, Id, Expose>, "raw"> &
  NeedsOf<Strategy> & { callbacks?: { authorized?: Authorized } | undefined }

/**
 * Makes the handlers, `auth`, `signIn` and `signOut` of an application. Without `basePath` the service is at the path of
 * `AUTH_URL`, else at `/api/auth`. Secrets are read when the first request comes, never while the application is built.
 */
export function NextAuth<
  Strategy extends SessionStrategy = SessionStrategy,
  Token extends JWT = JWT,
  Shown extends DefaultSession = never,
  Id extends string = string,
  Expose extends Exposable = never,
>(
  config: SourceOf<ConfigOf<Strategy, Token, Shown, Id, Expose>>,
): NextAuthResult<SessionOf<Strategy, Shown, Expose>, Id>
export function NextAuth<S, Id extends string>(auth: AuthService<S, Id>): NextAuthResult<S, Id>
export function NextAuth<Strategy extends SessionStrategy, Id extends string>(
  config: SourceOf<
    Omit<TypedConfigOf<Strategy, Id>, "raw"> &
      NeedsOf<Strategy> & { callbacks: { authorized?: Authorized | undefined } }
  >,
): NextAuthResult<Session, Id>
export function NextAuth(given: object): NextAuthResult {
  return createNextAuth(given as Given)
}

// As next-auth names it, so that moving changes the import alone.
export { NextAuth as default }
