/** The route table: who may call what, with which protection, and which check cookies it consumes. */
import type { AuthAction, CookieRole } from "../types/config.js"
import type { ProviderType } from "../types/identity.js"
import type { Action } from "./action.js"
import { callback } from "./callback.js"
import { csrf } from "./csrf.js"
import { errorPage, verifyRequestPage } from "./notices.js"
import { providers } from "./providers.js"
import { readSession, updateSession } from "./session.js"
import { beginSignin, signinPage, toSigninPage } from "./signin.js"
import { endSession, signoutPage } from "./signout.js"
import { webauthnOptions } from "./webauthn-options.js"

/** One line of the table. */
export interface Row {
  readonly method: "GET" | "POST"
  readonly action: AuthAction
  /** Provider types the path may name; `none` allows a path without provider. */
  readonly kinds: readonly (ProviderType | "none")[]
  /** The request must carry the CSRF token. */
  readonly csrf: boolean
  /** Check cookies that are over after this row, however it ends. */
  readonly spends: readonly CookieRole[]
  readonly act: Action
}

const NONE = ["none"] as const
const ANY = ["none", "oauth", "oidc", "email", "credentials", "webauthn"] as const
const OAUTH = ["oauth", "oidc"] as const
const CHECKS = ["state", "pkceCodeVerifier", "nonce"] as const

// biome-ignore format: a table is read by its columns
const rows: readonly Row[] = [
  { method: "GET",  action: "session",          kinds: NONE,                                csrf: false, spends: [],                    act: readSession },
  { method: "POST", action: "session",          kinds: NONE,                                csrf: true,  spends: [],                    act: updateSession },
  { method: "GET",  action: "csrf",             kinds: NONE,                                csrf: false, spends: [],                    act: csrf },
  { method: "GET",  action: "providers",        kinds: NONE,                                csrf: false, spends: [],                    act: providers },
  { method: "GET",  action: "signin",           kinds: ANY,                                 csrf: false, spends: [],                    act: signinPage },
  { method: "POST", action: "signin",           kinds: ["none", "credentials", "webauthn"], csrf: true,  spends: [],                    act: toSigninPage },
  { method: "POST", action: "signin",           kinds: ["oauth", "oidc", "email"],          csrf: true,  spends: [],                    act: beginSignin },
  { method: "GET",  action: "signout",          kinds: NONE,                                csrf: false, spends: [],                    act: signoutPage },
  { method: "POST", action: "signout",          kinds: NONE,                                csrf: true,  spends: [],                    act: endSession },
  { method: "GET",  action: "callback",         kinds: ["oauth", "oidc", "email"],          csrf: false, spends: CHECKS,                act: callback },
  { method: "POST", action: "callback",         kinds: OAUTH,                               csrf: false, spends: CHECKS,                act: callback },
  { method: "POST", action: "callback",         kinds: ["credentials"],                     csrf: true,  spends: [],                    act: callback },
  { method: "POST", action: "callback",         kinds: ["email"],                           csrf: true,  spends: CHECKS,                act: callback },
  { method: "POST", action: "callback",         kinds: ["webauthn"],                        csrf: false, spends: ["webauthnChallenge"], act: callback },
  { method: "GET",  action: "error",            kinds: NONE,                                csrf: false, spends: [],                    act: errorPage },
  { method: "GET",  action: "verify-request",   kinds: NONE,                                csrf: false, spends: [],                    act: verifyRequestPage },
  { method: "GET",  action: "webauthn-options", kinds: ["webauthn"],                        csrf: false, spends: [],                    act: webauthnOptions },
]

/** The table of all rows. */
export const table: readonly Row[] = rows
