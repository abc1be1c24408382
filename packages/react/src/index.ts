/** Latchkey for React: the session in components, and the functions of the browser's client. */

export {
  type AuthorizationParams as SignInAuthorizationParams,
  ClientError,
  type SignInOptions,
  type SignInResponse,
  type SignOutOptions as SignOutParams,
  type SignOutResponse,
} from "@latchkey/core/client"
export {
  SessionProvider,
  type SessionProviderProps,
  type UseSession,
  type UseSessionOptions,
  useSession,
} from "./session.js"
export {
  createSessionClient,
  getCsrfToken,
  getProviders,
  getSession,
  registerPasskey,
  signalPasskeys,
  signIn,
  signInWithPasskey,
  signOut,
} from "./sign.js"
export type { SessionState } from "./store.js"
