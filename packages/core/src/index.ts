/**
 * The door: make the service once and hold it, or hand the configuration over with each request. `Adapter` and `JWT` come
 * through their own doors, so that these are part of every program and `declare module` finds them.
 */
export type { Adapter } from "./adapters.js"
export { setEnvDefaults } from "./config/environment.js"
export { customFetch, raw, skipCSRFCheck } from "./config/markers.js"
export { Auth, authOf, type CreateAuthOptions, createAuth } from "./engine/auth.js"
export { type AuthInspection, inspectAuth, type ProviderInspection } from "./engine/inspect.js"
export { type LimitsControl, limits } from "./engine/limits-control.js"
export type {
  AuthService,
  AuthSource,
  HandleOptions,
  RedirectAnswer,
  ServerRequest,
  ServerResponse,
  SessionAnswer,
  SessionOptions,
  SignInCall,
  SignOutCall,
  UpdateCall,
} from "./engine/public.js"
export { type ResealOptions, resealRecords } from "./engine/reseal.js"
export { type SignInViewAnswer, signInView } from "./engine/sign-in-view.js"
export type { ActionTrace } from "./engine/trace.js"
export { AuthError, CredentialsSignin } from "./errors.js"
export { createActionURL } from "./http/action-url.js"
export { isAuthAction, mayBeAction } from "./http/endpoints.js"
export { type Sender, senderOf } from "./http/headers.js"
export { addOlderCookies, type CookieHeaders, toSetCookie } from "./http/outgoing.js"
export {
  type KeepPrivateOptions,
  keepHeadersPrivate,
  keepPrivate,
  type NodeResponse,
  type PrivateHeaders,
} from "./http/private.js"
export { cookieNameIn, cookiesAfter } from "./http/set-cookie-fields.js"
export { type GuardedRequest, pagePath, signInAddress } from "./http/sign-in-address.js"
export type { JWT } from "./jwt.js"
export type { SealCount } from "./ledger/reseal.js"
export { type Connection, isReset } from "./std/connection.js"
export * from "./types.js"
