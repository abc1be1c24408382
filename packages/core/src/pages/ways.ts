/** The ways to sign in, put together as the page asks for them: an address is asked for once, whatever it is used for. */
import type { OAuthProviderButtonStyles } from "../types/appearance.js"
import type { InputAttributes, PublicProvider } from "../types/provider.js"

/** A provider as the page is given it. */
export interface SigninEntry extends Readonly<PublicProvider> {
  readonly style?: Readonly<OAuthProviderButtonStyles> | undefined
  /** `credentials` of a credentials provider, `formFields` of a WebAuthn provider; without them neither is listed. */
  readonly fields?: Readonly<Record<string, InputAttributes>> | undefined
  /** WebAuthn only: address of the ceremony's options, for the script. */
  readonly optionsUrl?: string | undefined
  /** WebAuthn only: passkeys are offered while the person types. */
  readonly conditional?: boolean | undefined
}

/** The ways of one page. */
export interface Ways {
  /** Providers to go to. */
  readonly redirects: readonly SigninEntry[]
  /** Ways whose one field, or first one, is an address: they share a form. */
  readonly shared: { readonly password: SigninEntry | undefined; readonly mails: readonly SigninEntry[] }
  /** Ways that ask for something else: a form each. */
  readonly others: readonly SigninEntry[]
  readonly passkeys: readonly SigninEntry[]
}

/** Arranges the ways that can be listed. Where the first is chosen, it decides what its form asks for. */
export function arrange(given: readonly SigninEntry[], chosen: string | undefined): Ways {
  const entries = given.filter(isListed)
  const mails = entries.filter(({ type }) => type === "email")
  const passwords = entries.filter(({ type }) => type === "credentials")
  // Whoever chose a link by mail is not asked for a password.
  const isMailChosen = chosen !== undefined && mails.some(({ id }) => id === chosen)
  const password = isMailChosen ? undefined : passwords.find(asksForAddress)
  return {
    redirects: entries.filter(isRedirecting),
    shared: { password, mails },
    others: isMailChosen ? [] : passwords.filter((entry) => entry !== password),
    passkeys: entries.filter(({ type }) => type === "webauthn"),
  }
}

/** Are there ways that the page shows without a choice, and not with this one? */
export function leavesOut(given: readonly SigninEntry[], chosen: string | undefined): boolean {
  const [here, all] = [arrange(given, chosen), arrange(given, undefined)]
  return here.shared.password !== all.shared.password || here.others.length < all.others.length
}

/** Without the fields it needs, a way cannot be offered. */
export function isListed({ type, fields }: SigninEntry): boolean {
  return type === "credentials" || type === "webauthn" ? fields !== undefined : true
}

function isRedirecting({ type }: SigninEntry): boolean {
  return type === "oauth" || type === "oidc"
}

/** The first field is the address, by the name under which a link by mail and a passkey ask for it as well. */
function asksForAddress({ fields = {} }: SigninEntry): boolean {
  return Object.keys(fields)[0] === "email"
}

/** A passkey asks for the address alone: another form on the page can ask for it in its stead. */
export function needsAddressAlone({ fields = {} }: SigninEntry): boolean {
  return Object.keys(fields).every((name) => name === "email")
}
