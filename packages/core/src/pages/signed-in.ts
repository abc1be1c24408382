/** What the sign-in page shows to somebody who is signed in already. */
import { type Html, html } from "../std/html.js"
import type { Wording } from "../texts/wording.js"
import { type FormState, nameOf, safeAddress, stateFields } from "./layout.js"
import { phrase } from "./phrase.js"

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

interface Surroundings extends FormState {
  readonly wording: Wording
  /** What stands below, in the page. */
  readonly ways: readonly { readonly type: string }[]
}

/** Stands between two groups of ways. */
export function divider(wording: Wording): Html {
  return html`<div class="or aside" role="separator"><span aria-hidden="true">${wording.text("list.or")}</span></div>
`
}

/** As whom, two ways on, and in front of the ways of signing in what they would do. */
export function signedInPart(person: SignedIn, { wording, csrfToken, returnTo, ways }: Surroundings): Html {
  const signout = stateFields({ csrfToken, returnTo: person.signinUrl })
  return html`${person.name === undefined ? "" : html`<p class="soft">${phrase(wording, "signin.account", { name: nameOf(person.name) })}</p>`}
<div class="group"><a class="primary" href="${safeAddress(returnTo ?? "/")}">${wording.text("action.continue")}</a>
<form action="${safeAddress(person.signoutUrl)}" method="post">${signout}<button class="provider">${wording.text("action.signOut")}</button></form></div>
${ways.length === 0 ? "" : html`${divider(wording)}<p class="soft">${wording.text(consequenceOf(person, ways))}</p>`}`
}

type ConsequenceKey = "signin.addsEither" | "signin.addsService" | "signin.addsPasskey" | "signin.replaces"

/** An e-mail link and a password sign in the user they name: they add nothing to the account of another user. */
function consequenceOf({ addsAccounts }: SignedIn, ways: Surroundings["ways"]): ConsequenceKey {
  const service = addsAccounts && ways.some(({ type }) => type === "oauth" || type === "oidc")
  const passkey = addsAccounts && ways.some(({ type }) => type === "webauthn")
  if (service && passkey) return "signin.addsEither"
  if (service) return "signin.addsService"
  return passkey ? "signin.addsPasskey" : "signin.replaces"
}
