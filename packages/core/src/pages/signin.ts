/** The sign-in page, drawn from the view: who is signed in already, providers as a list, one form that asks for the address, and links. */
import { type Html, html } from "../std/html.js"
import type { Wording } from "../texts/wording.js"
import type { SignInButton, SignInPasskey, SignInView } from "../types/sign-in-view.js"
import { type ProviderMark, providerMark } from "./image.js"
import {
  alertBox,
  type FormState,
  hiddenFields,
  layout,
  nameOf,
  type PageParts,
  type PageView,
  phrase,
  safeAddress,
  stateFields,
} from "./layout.js"
import { type SigninFacts, signInViewOf } from "./sign-in-view.js"
import { type FormSurroundings, formOf, lastUsed, passkeyButton, passkeyForm } from "./signin-forms.js"
import { type InlineText, inlineText } from "./theme.js"
import { isListed, leavesOut } from "./ways.js"

/** What the sign-in page shows. */
export interface SigninView extends PageView, Omit<SigninFacts, "isSignedIn" | "app"> {
  /** Who is signed in already. */
  readonly visitor?: SignedIn | undefined
  /** The page without a choice made, for those who came to one way and want another. */
  readonly otherWaysUrl?: string | undefined
  /** The generated scripts: of forms, and of passkeys, which stands in the page only when one is offered. */
  readonly formScript?: InlineText | undefined
  readonly passkeyScript?: InlineText | undefined
}

/** More buttons than these stand behind a line that opens. */
const mostButtons = 6

/** The sign-in page. */
export async function signinPage(given: SigninView): Promise<PageParts> {
  const { isAskedAgain = false, theme, visitor, wording } = given
  const isSignedIn = visitor !== undefined
  const view = signInViewOf({ ...given, app: theme.name, isSignedIn })
  const marks = new Map(view.providers.map((button) => [button.id, markOf(button)]))
  const colours = new Set([...marks.values()].flatMap(({ colour }) => colour ?? []))
  // No element has a style attribute, so each colour beside a logo of its own gets a class of this page.
  const tints = new Map([...colours].map((colour, index) => [colour, `tint-${index}`]))
  const page: Drawing = { given, view, wording, marks, tints, isQuiet: isSignedIn && !isAskedAgain }
  const blocks = blocksOf(page)
  const listed = given.providers.filter(isListed)
  const scripts = [given.formScript, view.passkeys.length > 0 ? given.passkeyScript : undefined]
  return layout(given, {
    title: view.title,
    body: html`${messageOf(view, wording)}
${visitor ? accountPart(visitor, wording) : ""}
${visitor && !isAskedAgain ? onwardPart(visitor, { ...given, ways: listed }) : ""}
${blocks.map((block, index) => html`${index === 0 ? "" : divider(wording)}${block}`)}
${listed.length === 0 ? html`<p class="soft">${wording.text("signin.none")}</p>` : ""}
${visitor && isAskedAgain ? html`${divider(wording)}${signoutForm(visitor, given)}` : ""}
${endOf(page)}`,
    imageSources: [...marks.values()].flatMap((mark) => mark.source ?? []),
    style: tints.size > 0 ? await inlineText([...tints].map(tintRule).join("")) : undefined,
    scripts: listed.length > 0 ? scripts.filter((script) => script !== undefined) : [],
  })
}

interface Drawing extends FormSurroundings {
  readonly given: SigninView
  readonly marks: ReadonlyMap<string, ProviderMark>
  /** Classes by colour. */
  readonly tints: ReadonlyMap<string, string>
}

function messageOf({ message, incident }: SignInView, wording: Wording): Html {
  if (message === undefined) return html``
  return message.isError
    ? alertBox(message.text, { incident, wording })
    : html`<p class="soft" role="status">${message.text}</p>`
}

/** The blocks between which "or" stands: the buttons, and each form. */
function blocksOf(page: Drawing): readonly Html[] {
  const { given, view } = page
  const [main, ...rest] = view.forms
  const asksAddress = main?.fields.some(({ name }) => name === "email") === true
  // A passkey that needs the address alone shares the field of the form; any other asks for what it needs itself.
  const shares = (passkey: SignInPasskey): boolean =>
    asksAddress && passkey.fields.every(({ name }) => name === "email")
  const shared = view.passkeys.filter(shares)
  const buttons = buttonsOf(page, shared)
  const forms = [
    ...(main ? [formOf(main, page, { shared, isMain: true })] : []),
    ...rest.map((form) => formOf(form, page, { shared: [], isMain: false })),
    ...view.passkeys.filter((one) => !shares(one)).map((one) => passkeyForm(one, page, main === undefined)),
  ]
  const list = buttons.length > 0 ? [html`<div class="group aside">${buttons}</div>`] : []
  const [first] = given.providers.filter(isListed)
  const isFormFirst =
    first !== undefined && !["oauth", "oidc"].includes(first.type) && !shared.some(({ id }) => id === first.id)
  return isFormFirst ? [...forms, ...list] : [...list, ...forms]
}

/** Providers and passkeys in their order; the way used last is never behind the line that opens. */
function buttonsOf(page: Drawing, passkeys: readonly SignInPasskey[]): readonly Html[] {
  const { given, view, wording } = page
  const drawn = given.providers.flatMap(({ id }) => {
    const button = view.providers.find((one) => one.id === id)
    const passkey = passkeys.find((one) => one.id === id)
    if (passkey) return [{ isLastUsed: passkey.isLastUsed, html: passkeyButton(passkey, page) }]
    return button ? [{ isLastUsed: button.isLastUsed, html: providerForm(button, page) }] : []
  })
  const ordered =
    drawn.length > mostButtons ? drawn.toSorted((a, b) => Number(b.isLastUsed) - Number(a.isLastUsed)) : drawn
  const all = ordered.map((one) => one.html)
  if (all.length <= mostButtons) return all
  const shown = mostButtons - 1
  return [
    ...all.slice(0, shown),
    html`<details><summary>${wording.text("signin.moreWays")}</summary><div class="group">${all.slice(shown)}</div></details>`,
  ]
}

function providerForm(button: SignInButton, { view, marks, tints, wording }: Drawing): Html {
  const mark = marks.get(button.id)
  const tint = tints.get(mark?.colour ?? "")
  return html`<form action="${safeAddress(button.action)}" method="post">${hiddenFields(view.hidden)}<button class="provider${tint ? ` ${tint}` : ""}" data-provider="${button.id}">${mark?.html ?? ""}<span>${button.label}</span>${lastUsed(button, wording)}</button></form>
`
}

/** What stands below: other ways, making an account, and the small links. */
function endOf({ given, view, wording }: Drawing): Html {
  const signUp = view.links.find(({ id }) => id === "signUp")
  const small = view.links.filter(({ id }) => id === "help" || id === "terms" || id === "privacy")
  const other = leavesOut(given.providers, given.chosen) ? given.otherWaysUrl : undefined
  return html`${other ? html`<p class="way"><a href="${safeAddress(other)}">${wording.text("signin.moreWays")}</a></p>` : ""}
${signUp ? html`<p class="way"><a href="${safeAddress(signUp.href)}">${signUp.label}</a></p>` : ""}
${small.length > 0 ? html`<p class="links">${small.map(({ href, label }) => html`<a href="${safeAddress(href)}">${label}</a> `)}</p>` : ""}`
}

function markOf({ id, name, mark, colour }: SignInButton): ProviderMark {
  return providerMark({ id, name, style: { ...(mark && { logo: mark }), ...(colour && { brandColor: colour }) } })
}

function tintRule([colour, className]: readonly [string, string]): string {
  return `.${className}:hover{border-color:${colour}}`
}

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
function divider(wording: Wording): Html {
  return html`<div class="or aside" role="separator"><span aria-hidden="true">${wording.text("list.or")}</span></div>
`
}

/** Who is signed in. */
function accountPart({ name }: SignedIn, wording: Wording): Html {
  return name === undefined
    ? html``
    : html`<p class="soft">${phrase(wording, "signin.account", { name: nameOf(name) })}</p>`
}

/** A button to go on and one to sign out, and what a further sign-in would do. */
function onwardPart(person: SignedIn, { ways, ...given }: Surroundings): Html {
  const { returnTo, wording } = given
  return html`<div class="group"><a class="primary" href="${safeAddress(returnTo ?? "/")}">${wording.text("action.continue")}</a>
${signoutForm(person, given)}</div>
${ways.length === 0 ? "" : html`${divider(wording)}<p class="soft">${wording.text(consequenceOf(person, ways))}</p>`}`
}

function signoutForm({ signinUrl, signoutUrl }: SignedIn, { wording, csrfToken }: Omit<Surroundings, "ways">): Html {
  return html`<form action="${safeAddress(signoutUrl)}" method="post">${stateFields({ csrfToken, returnTo: signinUrl })}<button class="provider">${wording.text("action.signOut")}</button></form>`
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
