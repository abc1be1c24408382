/** What the sign-in page shows, worked out from what is configured and what a request says; nothing is drawn here. */
import { en } from "../texts/en.js"
import type { TextKey } from "../texts/texts.js"
import type { Wording } from "../texts/wording.js"
import type { SignInPageErrorParam } from "../types/appearance.js"
import type { InputAttributes } from "../types/provider.js"
import type {
  SignInField,
  SignInForm,
  SignInLinks,
  SignInPasskey,
  SignInSubmit,
  SignInView,
} from "../types/sign-in-view.js"
import { fieldOf } from "./fields.js"
import { readProviderLogo } from "./image.js"
import { readIncident } from "./incident.js"
import type { FormState } from "./layout.js"
import { plainColour } from "./theme.js"
import { arrange, needsAddressAlone, type SigninEntry, type Ways } from "./ways.js"

/** What the view follows from. Members taken from a query are checked here. */
export interface SigninFacts extends FormState {
  /** The language of the page, and its texts. */
  readonly wording: Wording
  readonly providers: readonly SigninEntry[]
  /** The provider that the path names. */
  readonly chosen?: string | undefined
  /** The provider this browser was signed in with last. */
  readonly lastUsed?: string | undefined
  /** Name of the application. */
  readonly app?: string | undefined
  readonly links?: Readonly<SignInLinks> | undefined
  readonly error?: string | undefined
  readonly incident?: string | undefined
  /** The person has just cancelled at a provider, or the provider declined. */
  readonly isCancelled?: boolean | undefined
  readonly isSignedIn?: boolean | undefined
  /** Somebody who is signed in has to sign in once more, and can add nothing to their user before. */
  readonly isAskedAgain?: boolean | undefined
  /** Fills the address field. */
  readonly email?: string | undefined
}

/** The message for a public error value; `undefined` when there is none. */
export function signinErrorText({
  error,
  isAskedAgain = false,
  isSignedIn = false,
  wording,
}: Pick<SigninFacts, "error" | "isAskedAgain" | "isSignedIn" | "wording">): string | undefined {
  if (!error) return undefined
  // A signed-in visitor wanted to add an account to theirs.
  if (error === "OAuthAccountNotLinked" && isSignedIn) return wording.text("signin.notAdded")
  if (isAskedAgain) return wording.text("signin.again")
  const known = Object.hasOwn(en, `signin.error.${error}`) ? (error as SignInPageErrorParam) : "other"
  return wording.text(`signin.error.${known}`)
}

/** The page as data. */
export function signInViewOf(facts: SigninFacts): SignInView {
  const { app, csrfToken, error, returnTo, wording } = facts
  const incident = readIncident(facts.incident)
  const ways = arrange(facts.providers, facts.chosen)
  const text = signinErrorText(facts)
  // What the person typed is wrong: it says so beside the field. A fault, which has an incident, is not theirs to correct.
  const inField = text === undefined || incident ? undefined : fieldWithError(ways, error)
  const hidden = { csrfToken, callbackUrl: returnTo }
  return {
    title:
      facts.isSignedIn && !facts.isAskedAgain
        ? wording.text("signin.signedIn")
        : app
          ? wording.text("signin.headingApp", { app })
          : wording.text("signin.heading"),
    message: inField ? undefined : messageOf(facts, text),
    incident: text === undefined || error === "SessionRequired" ? undefined : incident,
    hidden: Object.fromEntries(Object.entries(hidden).filter((entry): entry is [string, string] => !!entry[1])),
    providers: ways.redirects.map(({ id, name, signinUrl, style }) => ({
      id,
      name,
      label: wording.text(style?.verb === "signIn" ? "signin.with" : "signin.continueWith", {
        provider: style?.label ?? name,
      }),
      action: signinUrl,
      mark: readProviderLogo(style?.logo)?.src,
      colour: plainColour(style?.brandColor) ?? plainColour(style?.bg),
      isLastUsed: id === facts.lastUsed,
    })),
    forms: formsOf(ways, { ...facts, wrong: inField && { ...inField, text: text ?? "" } }),
    passkeys: ways.passkeys.map((entry) => passkeyOf(entry, facts)),
    links: linksOf(facts),
  }
}

/** A page that requires a sign-in, and a sign-in that was cancelled, are no errors. */
function messageOf({ error, isCancelled, wording }: SigninFacts, text: string | undefined): SignInView["message"] {
  if (text !== undefined) return { text, isError: error !== "SessionRequired" }
  return isCancelled ? { text: wording.text("signin.cancelled"), isError: false } : undefined
}

interface Place {
  /** Id of the form's provider. */
  readonly id: string
  readonly field: string
}

/** The field that the error belongs to, where it can only be one. */
function fieldWithError({ shared, others }: Ways, error: string | undefined): Place | undefined {
  const passwords = [...(shared.password ? [shared.password] : []), ...others]
  if (error === "CredentialsSignin" && passwords.length === 1 && passwords[0]) {
    const { id, fields = {} } = passwords[0]
    const names = Object.keys(fields)
    const field = names.find((name) => fields[name]?.type === "password") ?? names[0]
    return field === undefined ? undefined : { id, field }
  }
  const [mail] = shared.mails
  return error === "EmailSignin" && mail ? { id: (shared.password ?? mail).id, field: "email" } : undefined
}

interface FormFacts extends SigninFacts {
  readonly wrong: (Place & { readonly text: string }) | undefined
}

function formsOf(ways: Ways, facts: FormFacts): readonly SignInForm[] {
  const { password, mails } = ways.shared
  const rest = ways.others.map(
    (entry): SignInForm => ({
      action: entry.callbackUrl,
      fields: fieldsFor(entry.id, entry.fields, facts),
      buttons: [passwordSubmit(entry, ways, facts)],
      asksAddressFirst: false,
      isLastUsed: entry.id === facts.lastUsed,
    }),
  )
  const main = password ?? mails[0]
  return main ? [sharedForm(main, ways, facts), ...rest] : rest
}

/** The form of all ways that need an address. */
function sharedForm(main: SigninEntry, ways: Ways, facts: FormFacts): SignInForm {
  const { passkeys, shared } = ways
  const { password, mails } = shared
  const buttons = [
    ...(password ? [passwordSubmit(password, ways, facts)] : []),
    ...mails.map((mail) => mailSubmit(mail, mails, facts)),
  ]
  const takers = passkeys.filter(needsAddressAlone)
  const { email, ...further } = password?.fields ?? {}
  const isOffered = takers.some(({ conditional }) => conditional === true)
  const fields = { email: addressField(email, isOffered), ...further }
  const isChoice = buttons.length + takers.length > 1
  return {
    action: buttons[0]?.action ?? "",
    fields: fieldsFor(main.id, fields, facts),
    buttons,
    asksAddressFirst: password !== undefined && password.id !== facts.chosen && !facts.wrong && isChoice,
    isLastUsed: buttons.some(({ id }) => id === facts.lastUsed),
  }
}

function passwordSubmit(
  { id, name, callbackUrl: action }: SigninEntry,
  { shared, others }: Ways,
  { wording }: SigninFacts,
): SignInSubmit {
  const isOnly = others.length + (shared.password ? 1 : 0) === 1
  const label = isOnly ? wording.text("action.signIn") : wording.text("signin.with", { provider: name })
  return { id, label, action, needsAddressOnly: false }
}

function mailSubmit(
  { id, name, signinUrl: action }: SigninEntry,
  { length }: readonly SigninEntry[],
  { wording }: SigninFacts,
): SignInSubmit {
  const label = length === 1 ? wording.text("signin.emailLink") : wording.text("signin.with", { provider: name })
  return { id, label, action, needsAddressOnly: true }
}

/** One field for mail, password and passkey: password managers fill it, and browsers offer passkeys in it. */
function addressField(given: InputAttributes | undefined, offersPasskey: boolean): InputAttributes {
  const autocomplete = offersPasskey ? "username webauthn" : "username"
  return { label: "Email", ...given, type: "email", required: true, autocomplete }
}

function fieldsFor(
  id: string,
  fields: Readonly<Record<string, InputAttributes>> | undefined,
  { email, wording, wrong }: Pick<FormFacts, "email" | "wording" | "wrong">,
): readonly SignInField[] {
  return Object.entries(fields ?? {}).map(([name, given]) => {
    const error = wrong?.id === id && wrong.field === name ? wrong.text : undefined
    const value = name === "email" && email ? { value: email } : {}
    return { ...fieldOf(name, { ...given, ...value }, wording), error }
  })
}

function passkeyOf(entry: SigninEntry, facts: SigninFacts): SignInPasskey {
  return {
    id: entry.id,
    label: facts.wording.text("signin.withPasskey"),
    createLabel: facts.wording.text("passkey.create"),
    action: entry.callbackUrl,
    optionsUrl: entry.optionsUrl ?? "",
    isOffered: offersUnasked(facts, entry),
    fields: fieldsFor(entry.id, entry.fields, { email: facts.email, wording: facts.wording, wrong: undefined }),
    isLastUsed: entry.id === facts.lastUsed,
  }
}

// With these a passkey may have been refused: an authenticator that answers by itself would be asked for ever.
const afterPasskey: ReadonlySet<string> = new Set(["Signin", "Callback", "OAuthAccountNotLinked", "OAuthCreateAccount"])

/** Passkeys are offered unasked to people who are not signed in, and not again once one was refused. */
function offersUnasked({ error, isSignedIn }: SigninFacts, { conditional }: SigninEntry): boolean {
  return conditional === true && !isSignedIn && !(error && afterPasskey.has(error))
}

const linkTexts = {
  signUp: "signin.createAccount",
  forgotPassword: "signin.forgotPassword",
  help: "signin.help",
  terms: "signin.terms",
  privacy: "signin.privacy",
} as const satisfies Record<keyof SignInLinks, TextKey>

function linksOf({ links = {}, wording }: SigninFacts): SignInView["links"] {
  return (Object.keys(linkTexts) as (keyof SignInLinks)[]).flatMap((id) => {
    const href = links[id]
    return href ? [{ id, label: wording.text(linkTexts[id]), href }] : []
  })
}
