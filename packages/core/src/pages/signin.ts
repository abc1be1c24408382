/** The sign-in page: one form for each provider, in the order they are given. */
import { type Html, html } from "../std/html.js"
import type { OAuthProviderButtonStyles, SignInPageErrorParam } from "../types/appearance.js"
import type { InputAttributes, PublicProvider } from "../types/provider.js"
import { fieldsOf } from "./fields.js"
import { type ProviderMark, providerMark } from "./image.js"
import { alertBox, hiddenFields, layout, nameOf, type PageParts, type PageView, safeAddress } from "./layout.js"
import { type InlineText, inlineText } from "./theme.js"

/** A provider as the page shows it. */
export interface SigninEntry extends Readonly<PublicProvider> {
  readonly style?: Readonly<OAuthProviderButtonStyles> | undefined
  /** `credentials` of a credentials provider, `formFields` of a WebAuthn provider; without them neither is listed. */
  readonly fields?: Readonly<Record<string, InputAttributes>> | undefined
  /** WebAuthn only: address of the ceremony's options, for the script. */
  readonly optionsUrl?: string | undefined
  /** WebAuthn only: passkeys are offered while the person types. */
  readonly conditional?: boolean | undefined
}

/** What the sign-in page shows. Members taken from a query are the page's to check. */
export interface SigninView extends PageView {
  readonly providers: readonly SigninEntry[]
  /** Absent when the protection is switched off. */
  readonly csrfToken?: string | undefined
  /** Where the person goes afterwards; it travels as `callbackUrl`. */
  readonly returnTo?: string | undefined
  readonly error?: string | undefined
  readonly incident?: string | undefined
  /** The person has just cancelled at a provider, or the provider declined. */
  readonly isCancelled?: boolean | undefined
  /** Who is signed in already. */
  readonly visitor?: SignedIn | undefined
  /** Fills the address field. */
  readonly email?: string | undefined
  /** The generated script of passkeys; it stands in the page only when one is offered. */
  readonly passkeyScript?: InlineText | undefined
}

const errorTexts: Readonly<Record<SignInPageErrorParam, string>> = {
  Signin: "Signing in did not start. Please try again.",
  OAuthSignin: "This provider cannot be reached right now. Try again shortly, or choose another way to sign in.",
  OAuthCallbackError: "The provider did not complete the sign-in. Try again, or choose another way.",
  OAuthCreateAccount: "Your account could not be created. Try again shortly, or choose another way to sign in.",
  EmailCreateAccount: "Your account could not be created. Ask for a new link and try again.",
  Callback: "Signing in did not complete. Please try again.",
  OAuthAccountNotLinked:
    "You used another method to sign in before. Please use that method again to confirm that it is you.",
  EmailSignin: "The email could not be sent. Check the address and try again.",
  CredentialsSignin: "That did not match. Check what you entered and try again.",
  SessionRequired: "Please sign in to see this page.",
}

// Somebody who is signed in did not come to sign in: an account was to be added to theirs.
const notAdded = "That account could not be added to yours: another user may have it already. You are still signed in."

/** The message for a public error value; `undefined` when there is none. */
export function signinErrorText(error: string | undefined, isSignedIn = false): string | undefined {
  if (!error) return undefined
  if (error === "OAuthAccountNotLinked" && isSignedIn) return notAdded
  return Object.hasOwn(errorTexts, error) ? errorTexts[error as SignInPageErrorParam] : "You could not be signed in."
}

/** The sign-in page. */
export async function signinPage(view: SigninView): Promise<PageParts> {
  const listed = view.providers.filter(isListed)
  const marks = new Map(listed.map((entry) => [entry, providerMark(entry)]))
  const tints = tintsOf(marks)
  return layout({
    title: "Sign In",
    theme: view.theme,
    body: html`<h1>${view.visitor ? "You are signed in" : "Sign in"}</h1>
${noticeOf(view)}
${view.visitor ? signedInPart(view.visitor, { ...view, ways: listed }) : ""}
${groupsOf(listed).map((group, index) => groupOf({ group, view, marks, tints, isFirst: index === 0 }))}
${listed.length === 0 ? html`<p class="soft">No sign-in method is set up.</p>` : ""}`,
    imageSources: [...marks.values()].flatMap((mark) => mark.source ?? []),
    style: tints.size > 0 ? await inlineText([...tints.values()].map(tintRule).join("")) : undefined,
    script: listed.some(({ type }) => type === "webauthn") ? view.passkeyScript : undefined,
  })
}

/** A provider's colour beside a logo of its own. */
interface Tint {
  readonly className: string
  readonly colour: string
}

/** No element has a style attribute, so each colour gets a class of this page. */
function tintsOf(marks: ReadonlyMap<SigninEntry, ProviderMark>): ReadonlyMap<SigninEntry, Tint> {
  const tints = new Map<SigninEntry, Tint>()
  for (const [entry, { colour }] of marks)
    if (colour !== undefined && isRedirecting(entry)) tints.set(entry, { className: `tint-${tints.size}`, colour })
  return tints
}

function tintRule({ className, colour }: Tint): string {
  return `.${className} .mark{box-shadow:0 0 0 1px ${colour}}.${className}:hover{border-color:${colour}}`
}

/** Being asked to sign in is no mishap, and neither is a change of mind: they are not drawn as one. */
function noticeOf({ error, incident, isCancelled, visitor }: SigninView): Html {
  const text = signinErrorText(error, visitor !== undefined)
  if (text !== undefined && error !== "SessionRequired") return alertBox(text, incident)
  const quiet = isCancelled ? "Signing in was cancelled or declined at the provider. Nothing has changed." : text
  return quiet === undefined ? html`` : html`<p class="soft" role="status">${quiet}</p>`
}

// With these a passkey may have been refused: an authenticator that answers by itself would be asked for ever.
const afterPasskey: ReadonlySet<string> = new Set(["Signin", "Callback", "OAuthAccountNotLinked", "OAuthCreateAccount"])

/** Passkeys are offered unasked to people who are not signed in, and not again once one was refused. */
function offersUnasked({ error, visitor }: SigninView, { conditional }: SigninEntry): boolean {
  return conditional === true && !visitor && !(error && afterPasskey.has(error))
}

function isListed({ type, fields }: SigninEntry): boolean {
  return type === "credentials" || type === "webauthn" ? fields !== undefined : true
}

function isRedirecting({ type }: SigninEntry): boolean {
  return type === "oauth" || type === "oidc"
}

/** Neighbours that are a button each stay together; every form with fields stands alone. */
function groupsOf(entries: readonly SigninEntry[]): readonly SigninEntry[][] {
  const groups: SigninEntry[][] = []
  let last: SigninEntry | undefined
  for (const entry of entries) {
    if (last && isRedirecting(last) && isRedirecting(entry)) groups.at(-1)?.push(entry)
    else groups.push([entry])
    last = entry
  }
  return groups
}

interface Group {
  readonly group: readonly SigninEntry[]
  readonly view: SigninView
  readonly marks: ReadonlyMap<SigninEntry, ProviderMark>
  readonly tints: ReadonlyMap<SigninEntry, Tint>
  readonly isFirst: boolean
}

function groupOf({ group, view, marks, tints, isFirst }: Group): Html {
  return html`${isFirst ? "" : html`<div class="or" role="separator"><span aria-hidden="true">or</span></div>`}
<div class="group">${group.map((entry) => formOf(entry, view, { mark: marks.get(entry)?.html, tint: tints.get(entry) }))}</div>`
}

function formOf(
  entry: SigninEntry,
  view: SigninView,
  { mark, tint }: { readonly mark: Html | undefined; readonly tint: Tint | undefined },
): Html {
  const hidden = hiddenFields({ csrfToken: view.csrfToken, callbackUrl: view.returnTo })
  const signinUrl = safeAddress(entry.signinUrl)
  const callbackUrl = safeAddress(entry.callbackUrl)
  if (isRedirecting(entry))
    return html`<form action="${signinUrl}" method="post">${hidden}<button class="provider${tint ? ` ${tint.className}` : ""}">${mark ?? ""}<span>Sign in with ${entry.name}</span></button></form>
`
  if (entry.type === "email")
    return html`<form action="${signinUrl}" method="post">${hidden}
${fieldsOf(entry.id, { email: { label: "Email", type: "email", autocomplete: "email", placeholder: "you@example.com", required: true, value: view.email ?? "" } })}
<button class="primary">Sign in with ${entry.name}</button></form>
`
  if (entry.type === "webauthn")
    return html`<form action="${callbackUrl}" method="post" id="${entry.id}-form" data-passkey="${entry.id}" data-options-url="${entry.optionsUrl ?? ""}" data-conditional="${String(offersUnasked(view, entry))}">${hidden}
${fieldsOf(entry.id, entry.fields ?? {}, { "data-form-field": "" })}
<noscript><p class="soft">Passkeys need JavaScript.</p></noscript>
<button class="primary" id="submitButton-${entry.id}">Sign in with ${entry.name}</button></form>
`
  return html`<form action="${callbackUrl}" method="post">${hidden}
${fieldsOf(entry.id, entry.fields ?? {})}
<button class="primary">Sign in with ${entry.name}</button></form>
`
}

/** Who is signed in, and the ways on from here. */
interface SignedIn {
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
function signedInPart(person: SignedIn, { csrfToken, returnTo, ways }: Surroundings): Html {
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
