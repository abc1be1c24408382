/** The sign-in page: one form for each provider, in the order they are given. */
import { type Html, html } from "../std/html.js"
import type { Wording } from "../texts/wording.js"
import type { OAuthProviderButtonStyles, SignInPageErrorParam } from "../types/appearance.js"
import type { InputAttributes, PublicProvider } from "../types/provider.js"
import { fieldsOf } from "./fields.js"
import { type ProviderMark, providerMark } from "./image.js"
import { alertBox, hiddenFields, layout, nameOf, type PageParts, type PageView, safeAddress } from "./layout.js"
import { phrase } from "./phrase.js"
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

const errors: Readonly<Record<SignInPageErrorParam, true>> = {
  Signin: true,
  OAuthSignin: true,
  OAuthCallbackError: true,
  OAuthCreateAccount: true,
  EmailCreateAccount: true,
  Callback: true,
  OAuthAccountNotLinked: true,
  EmailSignin: true,
  CredentialsSignin: true,
  SessionRequired: true,
}

/** The message for a public error value; `undefined` when there is none. */
export function signinErrorText(
  { error, visitor }: Pick<SigninView, "error" | "visitor">,
  wording: Wording,
): string | undefined {
  if (!error) return undefined
  // Somebody who is signed in did not come to sign in: an account was to be added to theirs.
  if (error === "OAuthAccountNotLinked" && visitor) return wording.text("signin.notAdded")
  const known = Object.hasOwn(errors, error) ? (error as SignInPageErrorParam) : "other"
  return wording.text(`signin.error.${known}`)
}

/** The sign-in page. */
export async function signinPage(view: SigninView): Promise<PageParts> {
  const { wording } = view
  const listed = view.providers.filter(isListed)
  const marks = new Map(listed.map((entry) => [entry, providerMark(entry)]))
  const tints = tintsOf(marks)
  return layout({
    title: wording.text("signin.title"),
    theme: view.theme,
    wording,
    body: html`<h1>${wording.text(view.visitor ? "signin.signedIn" : "signin.heading")}</h1>
${noticeOf(view)}
${view.visitor ? signedInPart(view.visitor, { ...view, ways: listed }) : ""}
${groupsOf(listed).map((group, index) => groupOf({ group, view, marks, tints, isFirst: index === 0 }))}
${listed.length === 0 ? html`<p class="soft">${wording.text("signin.none")}</p>` : ""}`,
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
function noticeOf({ wording, error, incident, isCancelled, visitor }: SigninView): Html {
  const text = signinErrorText({ error, visitor }, wording)
  if (text !== undefined && error !== "SessionRequired") return alertBox(text, { incident, wording })
  const quiet = isCancelled ? wording.text("signin.cancelled") : text
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

function divider(wording: Wording): Html {
  return html`<div class="or" role="separator"><span aria-hidden="true">${wording.text("list.or")}</span></div>`
}

function groupOf({ group, view, marks, tints, isFirst }: Group): Html {
  return html`${isFirst ? "" : divider(view.wording)}
<div class="group">${group.map((entry) => formOf(entry, view, { mark: marks.get(entry)?.html, tint: tints.get(entry) }))}</div>`
}

function formOf(
  entry: SigninEntry,
  view: SigninView,
  { mark, tint }: { readonly mark: Html | undefined; readonly tint: Tint | undefined },
): Html {
  const { wording } = view
  const label = wording.text("signin.with", { provider: entry.name })
  const hidden = hiddenFields({ csrfToken: view.csrfToken, callbackUrl: view.returnTo })
  const signinUrl = safeAddress(entry.signinUrl)
  const callbackUrl = safeAddress(entry.callbackUrl)
  if (isRedirecting(entry))
    return html`<form action="${signinUrl}" method="post">${hidden}<button class="provider${tint ? ` ${tint.className}` : ""}">${mark ?? ""}<span>${label}</span></button></form>
`
  if (entry.type === "email")
    return html`<form action="${signinUrl}" method="post">${hidden}
${fieldsOf(entry.id, { email: { label: wording.text("signin.email"), type: "email", autocomplete: "email", placeholder: wording.text("signin.emailExample"), required: true, value: view.email ?? "" } })}
<button class="primary">${label}</button></form>
`
  if (entry.type === "webauthn")
    return html`<form action="${callbackUrl}" method="post" id="${entry.id}-form" data-passkey="${entry.id}" data-options-url="${entry.optionsUrl ?? ""}" data-conditional="${String(offersUnasked(view, entry))}" data-texts="${promptsOf(wording)}">${hidden}
${fieldsOf(entry.id, entry.fields ?? {}, { "data-form-field": "" })}
<noscript><p class="soft">${wording.text("passkey.needsScript")}</p></noscript>
<button class="primary" id="submitButton-${entry.id}">${label}</button></form>
`
  return html`<form action="${callbackUrl}" method="post">${hidden}
${fieldsOf(entry.id, entry.fields ?? {})}
<button class="primary">${label}</button></form>
`
}

/** What the script says of passkeys, by the names it knows. */
function promptsOf(wording: Wording): string {
  return JSON.stringify({
    create: wording.text("passkey.create"),
    unsupported: wording.text("passkey.unsupported"),
    notStarted: wording.text("passkey.notStarted"),
    registered: wording.text("passkey.registered"),
    notUsed: wording.text("passkey.notUsed"),
    failed: wording.text("passkey.failed"),
  })
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
  readonly wording: Wording
  readonly csrfToken?: string | undefined
  readonly returnTo?: string | undefined
  /** What stands below, in the page. */
  readonly ways: readonly { readonly type: string }[]
}

/** As whom, two ways on, and in front of the ways of signing in what they would do. */
function signedInPart(person: SignedIn, { wording, csrfToken, returnTo, ways }: Surroundings): Html {
  const signout = hiddenFields({ csrfToken, callbackUrl: person.signinUrl })
  return html`${person.name === undefined ? "" : html`<p class="soft">${phrase(wording, "signin.account", { name: nameOf(person.name) })}</p>`}
<div class="group"><a class="primary" href="${safeAddress(returnTo ?? "/")}">${wording.text("action.continue")}</a>
<form action="${safeAddress(person.signoutUrl)}" method="post">${signout}<button class="provider">${wording.text("action.signOut")}</button></form></div>
${ways.length === 0 ? "" : html`${divider(wording)}<p class="soft">${wording.text(consequenceOf(person, ways))}</p>`}`
}

/** An e-mail link and a password sign in the user they name: they add nothing to the account of another user. */
function consequenceOf({ addsAccounts }: SignedIn, ways: Surroundings["ways"]): ConsequenceKey {
  const service = addsAccounts && ways.some(({ type }) => type === "oauth" || type === "oidc")
  const passkey = addsAccounts && ways.some(({ type }) => type === "webauthn")
  if (service && passkey) return "signin.addsEither"
  if (service) return "signin.addsService"
  return passkey ? "signin.addsPasskey" : "signin.replaces"
}

type ConsequenceKey = "signin.addsEither" | "signin.addsService" | "signin.addsPasskey" | "signin.replaces"
