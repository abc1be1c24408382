/** Latchkey for Express 4 and 5: a handler to mount, the session in routes, guards, and signing in and out from routes. */

export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export { type RequireSessionOptions, requireSession } from "./guard.js"
export { ExpressAuth } from "./handler.js"
// Re-exported through the files that applications augment, so that TypeScript includes those files.
export type { JWT } from "./jwt.js"
export type {
  ExpressAuthObject,
  RouteSignInOptions,
  RouteSignOutOptions,
} from "./object.js"
export type { RouteCall, RouteUpdateOptions } from "./route-call.js"
export type { AuthOfRequest, AuthOrConfig, ExpressAuthConfig } from "./service.js"
export { type AuthSessionOptions, authSession, type GetSessionResult, getSession } from "./session.js"
export type { ExpressSessions } from "./sessions.js"
export { type SignInOptions, type SignOutOptions, type SignResult, signIn, signOut, update } from "./sign.js"
export type { SessionLocals, SignedInLocals, SignedInSession } from "./typed.js"
export type { Account, DefaultSession, Profile, Session, User } from "./types.js"
