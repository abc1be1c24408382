/** How a person proves who they are: one shape for all provider types. */
import type { BegunBy } from "../checks/oauth.js"
import type { Context } from "../context/context.js"
import type { CookieChange } from "../http/result.js"
import type { AccountDraft } from "../types/adapter.js"
import type { Authenticator } from "../types/credential.js"
import type { Account, AdapterUser, Profile, User } from "../types/identity.js"
import type { AdmissionPolicy } from "./policy.js"

/** "I am ...", not yet proven: what the signIn callback sees before a link is sent. */
export interface Claim {
  readonly user: User | AdapterUser
  readonly account: Account
}

/** Where the person goes next: to the provider, or to the page that says a mail was sent. */
export interface Departure {
  readonly goTo: string
  readonly cookies: readonly CookieChange[]
}

/** What the provider says of the address: proven, not proven, nothing. */
export type EmailStatus = "verified" | "unverified" | "unstated"

/** The person has proven who they are. */
export interface Proof {
  readonly kind: "proof"
  readonly policy: AdmissionPolicy
  /** The candidate, as the provider describes it: with `id` (random UUID for oauth, oidc, email), `email` lower-cased when there is one. For a webauthn authentication: the stored user. */
  readonly user: User
  /** Given to the callbacks and the signIn event: all tokens, provider, type, providerAccountId. */
  readonly account: Account
  /** What is stored when the account is new (`userId` is added later); absent: nothing is stored (credentials). */
  readonly stored: AccountDraft | undefined
  /** What the provider said, raw (oauth, oidc). */
  readonly profile?: Profile
  /** When the provider last asked the person itself, in seconds since 1970, as a verified id_token says (oauth, oidc). */
  readonly authTime?: number
  /** What `authorize` returned, where `user` is a copy with another id (credentials). */
  readonly answered?: User
  /** What the form held (credentials). */
  readonly credentials?: Readonly<Record<string, unknown>>
  /** webauthn registration: stored when the account is new. */
  readonly authenticator?: Authenticator
  /** webauthn authentication: the counter to write once the person is let in. */
  readonly counter?: { readonly credentialID: string; readonly value: number }
  readonly emailStatus: EmailStatus
  /** The id of the account as the number that the profile gave: stores that keep types may hold it so. */
  readonly numericId?: number
  /** The provider allows linking by address. */
  readonly mayLinkByEmail: boolean
  /** Whose flow this was (oauth, oidc); absent: the method binds its ceremony to the person itself. */
  readonly begunBy?: BegunBy
  /** The return address that was sealed when the flow began. */
  readonly returnTo: string | undefined
  /** Done once the person was let in. Never throws. */
  readonly afterwards?: (userId: string) => Promise<void>
}

/** The redirect proxy sends the browser on to the deployment that began the flow; no cookie is consumed. */
export interface Detour {
  readonly kind: "detour"
  readonly goTo: string
}

/** The link was followed by a browser that must press a button first (email `confirm`). */
export interface Confirmation {
  readonly kind: "confirm"
  /** Name of the provider, for the page. */
  readonly provider: string
  /** Absent where what the link names is no address. */
  readonly email: string | undefined
  /** Where the button posts: the callback with its own query. */
  readonly action: string
  /** The browser that asked for the link gets this page only with a wrong token: then the page counts as a wrong guess. */
  readonly saysWrong: boolean
}

/** What a flow begins with. */
export interface Beginning {
  /** Sealed into the flow. */
  readonly returnTo: string
  readonly claim?: Claim
}

/** A way of proving who one is, for requests whose provider is known to be of its kind. */
export interface Method<C extends Context> {
  /** email only: who is asking, before anything is sent. */
  readonly claim?: (context: C) => Promise<Claim>
  /** Starts the flow. */
  readonly begin?: (context: C, given: Beginning) => Promise<Departure>
  /** Verifies what came back. Throws an AuthError for anything invalid. */
  readonly finish: (context: C) => Promise<Proof | Detour | Confirmation>
}
