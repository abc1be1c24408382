/** Latchkey for SvelteKit 2 and 3: the hook, the session in `locals`, form actions and a guard. */
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
import type { RequestEvent } from "@sveltejs/kit"
import { kit } from "./kit.js"
import { createSvelteKitAuth, type SvelteKitAuthResult } from "./server/create.js"
import { guardBelow } from "./server/guard.js"
import type { ConfigSource } from "./server/service.js"

export { customFetch, skipCSRFCheck } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type { AuthLocals } from "./app-types.js"
// Re-exported through the files that applications augment, so that TypeScript includes those files.
export type { JWT } from "./jwt.js"
export type { SvelteKitAuthResult } from "./server/create.js"
export { type FormAction, formAction, type Refusal } from "./server/form-action.js"
export type { RequireSessionOptions, SignedIn } from "./server/guard.js"
export type { ConfigSource, SvelteKitAuthConfig } from "./server/service.js"
export type { SvelteKitSessions } from "./server/sessions.js"
export type { SignInAction, SignInOptions, SignOutAction, SignOutOptions, SignResult } from "./server/sign.js"
export type { Account, DefaultSession, Profile, Session, User } from "./types.js"

/**
 * Builds the service into an application: `handle` for `hooks.server`, `signIn` and `signOut` as form actions.
 *
 * The configuration may be made for each request by a function. Without `basePath` the service is at `/auth` below
 * `kit.paths.base`. Secrets are read when the first request comes, never while the application is built.
 */
export function SvelteKitAuth<
  Strategy extends SessionStrategy = SessionStrategy,
  Token extends JWT = JWT,
  Shown extends DefaultSession = never,
  Id extends string = string,
  Expose extends Exposable = never,
>(
  config: SourceOf<Omit<AuthConfigOf<Strategy, Token, Shown, Id, Expose>, "raw"> & NeedsOf<Strategy>>,
): SvelteKitAuthResult<SessionOf<Strategy, Shown, Expose>, Id>
export function SvelteKitAuth<Strategy extends SessionStrategy, Id extends string>(
  config: SourceOf<Omit<TypedConfigOf<Strategy, Id>, "raw"> & NeedsOf<Strategy>>,
): SvelteKitAuthResult<Session, Id>
export function SvelteKitAuth(config: unknown): SvelteKitAuthResult {
  // What callbacks return is the application's; that it fits its own type, the compiler has seen.
  return createSvelteKitAuth(config as ConfigSource, kit)
}

/** A configuration, or a function that makes one for a request. */
type SourceOf<Config> = Config | ((event: RequestEvent) => Config | PromiseLike<Config>)

/**
 * Lets only signed-in people pass: call it in `load`, in an action or in a hook. Returns the session, redirects with
 * 303 when there is none, and throws when that cannot be determined.
 */
export const requireSession: ReturnType<typeof guardBelow> = guardBelow(kit.kitBase)
