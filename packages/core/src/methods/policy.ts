/** What admission has to know of each kind of provider, as data. Only this file and `select.ts` branch on the kind. */
import type { ResolvedOAuthProvider } from "../config/settings.js"
import type { Context } from "../context/context.js"
import type { AdapterAccount } from "../types/adapter.js"
import type { ProviderType } from "../types/identity.js"

/** How a person who proved who they are is admitted. */
export interface AdmissionPolicy {
  /** How the user is found: by the account, by the proven address, or by the application itself. */
  readonly foundBy: "account" | "email" | "application"
  /** The error for an account, or an address, that belongs to another user. */
  readonly refusal: "OAuthAccountNotLinked" | "AccountNotLinked"
  /** Only the owner of an address can have an account at it. Other accounts end when the owner proves the address. */
  readonly provesEmail: boolean
  /** An address that arrives unverified is kept in the row of a new user. */
  readonly keepsUnverifiedEmail: boolean
  /** Every adapter can take the account away again, so that a session at an unproven address may link it. */
  readonly isRemovable: boolean
  /** Callbacks and events see whose the account is; the tokens of a provider come without. */
  readonly showsOwner: boolean
}

/** A mail link. */
export const emailPolicy: AdmissionPolicy = Object.freeze({
  foundBy: "email",
  refusal: "OAuthAccountNotLinked",
  provesEmail: true,
  keepsUnverifiedEmail: true,
  isRemovable: false,
  showsOwner: true,
})

/** What `authorize` of the application answers. */
export const credentialsPolicy: AdmissionPolicy = Object.freeze({
  foundBy: "application",
  refusal: "OAuthAccountNotLinked",
  provesEmail: true,
  keepsUnverifiedEmail: true,
  isRemovable: false,
  showsOwner: false,
})

/** A passkey. It proves nothing of the address that it is registered for, which the application may go by all the same. */
export const passkeyPolicy: AdmissionPolicy = Object.freeze({
  foundBy: "account",
  refusal: "AccountNotLinked",
  provesEmail: false,
  keepsUnverifiedEmail: true,
  isRemovable: true,
  showsOwner: true,
})

/** A provider of OAuth 2 or OpenID Connect. */
export function oauthPolicy({
  callsVerified,
  allowUnverifiedEmail,
}: Pick<ResolvedOAuthProvider, "callsVerified" | "allowUnverifiedEmail">): AdmissionPolicy {
  return {
    foundBy: "account",
    refusal: "OAuthAccountNotLinked",
    provesEmail: callsVerified,
    keepsUnverifiedEmail: allowUnverifiedEmail,
    isRemovable: false,
    showsOwner: false,
  }
}

/** Is a stored account one of a passkey? */
export const isPasskey = ({ type }: { readonly type: ProviderType }): boolean => type === "webauthn"

/** Could only the owner of the address have linked a stored account? A provider that is no longer configured proves nothing. */
export function provesEmail({ settings }: Context, { type, provider }: AdapterAccount): boolean {
  if (type === "email") return true
  const configured = settings.providers.get(provider)
  const isOAuth = configured?.type === "oauth" || configured?.type === "oidc"
  return !isPasskey({ type }) && isOAuth && configured.callsVerified
}
