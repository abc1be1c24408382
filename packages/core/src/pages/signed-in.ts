/** The part of the sign-in page for a visitor who is signed in: as whom, and what signing in again would do. */
import { type Html, html } from "../std/html.js"
import { hiddenFields, nameOf, safeAddress } from "./layout.js"

/** Who is signed in, and the ways on from here. */
export interface SignedIn {
  /** Address or name; absent where the session has neither. */
  readonly name?: string | undefined
  /** An account that is proven now is added to theirs. */
  readonly addsAccounts: boolean
  readonly signoutUrl: string
  /** This page: where the person is after signing out. */
  readonly signinUrl: string
}

interface Surroundings {
  readonly csrfToken?: string | undefined
  readonly returnTo?: string | undefined
  /** What stands below, in the page. */
  readonly ways: readonly { readonly type: string }[]
}

/** As whom, two ways on, and in front of the ways of signing in what they would do. */
export function signedInPart(person: SignedIn, { csrfToken, returnTo, ways }: Surroundings): Html {
  const signout = hiddenFields({ csrfToken, callbackUrl: person.signinUrl })
  return html`${person.name === undefined ? "" : html`<p class="soft">Your account: ${nameOf(person.name)}</p>`}
<div class="group"><a class="primary" href="${safeAddress(returnTo ?? "/")}">Continue</a>
<form action="${safeAddress(person.signoutUrl)}" method="post">${signout}<button class="provider">Sign out</button></form></div>
${ways.length === 0 ? "" : html`<div class="or" role="separator"><span aria-hidden="true">or</span></div><p class="soft">${consequenceOf(person, ways)}</p>`}`
}

/** An e-mail link and a password sign in the user they name: they add nothing to the account of another user. */
function consequenceOf({ addsAccounts }: SignedIn, ways: Surroundings["ways"]): string {
  const adding = [
    ...(ways.some(({ type }) => type === "oauth" || type === "oidc") ? ["another service"] : []),
    ...(ways.some(({ type }) => type === "webauthn") ? ["a passkey"] : []),
  ]
  return addsAccounts && adding.length > 0
    ? `Signing in below with ${adding.join(" or ")} adds it to this account. To use a different account, sign out first.`
    : "Signing in below signs you out of this account first."
}
