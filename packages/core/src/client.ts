/** For the browser: signing in and out, passkeys, the session. The functions work with the base path `/auth`; `createClient` takes another. */
import { type AuthClient, createClient } from "./client/create.js"
import type { SignIn, SignOut } from "./client/sign.js"

export { ClientError, type ClientOptions } from "./client/connection.js"
export { type AuthClient, createClient } from "./client/create.js"
export type { SignInResponse } from "./client/outcome.js"
export type { PasskeyOptions } from "./client/passkey.js"
export type { SignalOptions } from "./client/passkey-signals.js"
export type {
  AuthorizationParams,
  SignIn,
  SignInOptions,
  SignOut,
  SignOutOptions,
  SignOutResponse,
} from "./client/sign.js"

const client: AuthClient = /* @__PURE__ */ createClient()

/** Signs in. Without a provider the person is sent to the sign-in page. */
export const signIn: SignIn = client.signIn
/** Signs out. */
export const signOut: SignOut = client.signOut
/** The session; `null` when the visitor is signed out. Throws {@link ClientError} when the service answers with an error. */
export const getSession: AuthClient["getSession"] = client.getSession
/** Passes data to the callbacks of the application and returns the session as it is then. */
export const update: AuthClient["update"] = client.update
/** The token for forms of your own; `undefined` where the protection is switched off. */
export const getCsrfToken: AuthClient["getCsrfToken"] = client.getCsrfToken
/** The configured providers by id. */
export const getProviders: AuthClient["getProviders"] = client.getProviders
/** Signs in with a passkey; with `autofill: true` it is offered while the person types. */
export const signInWithPasskey: AuthClient["signInWithPasskey"] = client.signInWithPasskey
/** Registers a passkey. */
export const registerPasskey: AuthClient["registerPasskey"] = client.registerPasskey
/** Where passkeys are listed: tells the browser which of them are accepted, so that it hides those that are gone. Never throws. */
export const signalPasskeys: AuthClient["signalPasskeys"] = client.signalPasskeys
/** Where sessions are managed: the sessions of the signed-in user. */
export const listSessions: AuthClient["listSessions"] = client.listSessions
/** Where sessions are managed: ends one session by the id of its entry. */
export const endSession: AuthClient["endSession"] = client.endSession
/** Where sessions are managed: ends all but the current one, and returns how many ended. */
export const endOtherSessions: AuthClient["endOtherSessions"] = client.endOtherSessions
