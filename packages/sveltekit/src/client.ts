/** For pages: signing in and out, passkeys, the session. The service is found without configuration. */
import { type AuthClient, type ClientOptions, createClient as createCoreClient } from "@latchkey/core/client"
import type { Session } from "@latchkey/core/types"
import { servedPath } from "./client/served-path.js"
import { kitBase } from "./kit-paths.js"

export {
  type AuthClient,
  type AuthorizationParams,
  type AuthorizationParams as SignInAuthorizationParams,
  ClientError,
  type ClientOptions,
  type PasskeyOptions,
  type SignIn,
  type SignInOptions,
  type SignInResponse,
  type SignOut,
  type SignOutOptions,
  type SignOutOptions as SignOutParams,
  type SignOutResponse,
} from "@latchkey/core/client"

/** Makes a client for a service at another place, such as a second configuration of the same application. */
export function createClient(options: ClientOptions = {}): AuthClient {
  return createCoreClient({ basePath: servedPath(kitBase), ...options })
}

/** Signs in. Without a provider the person is sent to the sign-in page. */
export const signIn: AuthClient["signIn"] = ((...given: Parameters<AuthClient["signIn"]>) =>
  createClient().signIn(...given)) as AuthClient["signIn"]

/** Signs out. */
export const signOut: AuthClient["signOut"] = ((...given: Parameters<AuthClient["signOut"]>) =>
  createClient().signOut(...given)) as AuthClient["signOut"]

/** Where sessions are managed: the sessions of the signed-in user. */
export const listSessions: AuthClient["listSessions"] = () => createClient().listSessions()

/** Where sessions are managed: ends one session by the id of its entry. */
export const endSession: AuthClient["endSession"] = (id) => createClient().endSession(id)

/** Where sessions are managed: ends all but the current one, and returns how many ended. */
export const endOtherSessions: AuthClient["endOtherSessions"] = () => createClient().endOtherSessions()

/** The session; `null` when the visitor is signed out. Throws a `ClientError` when the service answers with an error. */
export const getSession: AuthClient["getSession"] = () => createClient().getSession()

/**
 * Passes data to the callbacks of the application (`trigger: "update"`) and returns the session as it is then. The
 * data of the page is loaded again, so that `page.data.session` follows.
 */
export async function update(data?: unknown): Promise<Session | null> {
  const session = await createClient().update(data)
  // Asked for when it is needed: on the server, SvelteKit 2 does not load this module under Svelte 4.
  const { refreshAll } = await import("$app/navigation")
  await refreshAll()
  return session
}

/** The token for forms of your own; `undefined` where the protection is switched off. */
export const getCsrfToken: AuthClient["getCsrfToken"] = () => createClient().getCsrfToken()

/** The configured providers by id. */
export const getProviders: AuthClient["getProviders"] = () => createClient().getProviders()

/** Signs in with a passkey; with `autofill: true` it is offered while the person types. */
export const signInWithPasskey: AuthClient["signInWithPasskey"] = (options) => createClient().signInWithPasskey(options)

/** Registers a passkey. */
export const registerPasskey: AuthClient["registerPasskey"] = (options) => createClient().registerPasskey(options)

/** Where passkeys are listed: tells the browser which of them are accepted, so that it hides those that are gone. Never throws. */
export const signalPasskeys: AuthClient["signalPasskeys"] = (options) => createClient().signalPasskeys(options)
