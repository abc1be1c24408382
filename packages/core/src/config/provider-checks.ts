/** What is wrong with one provider whatever its protocol, and what providers need of the rest of the configuration. */

import {
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  MissingAdapter,
  MissingAuthorize,
  MissingWebAuthnAutocomplete,
} from "../errors.js"
import type { Members } from "../std/json.js"
import { isAbsent, isPlain, membersOf } from "./members.js"
import { checkKind } from "./option-checks.js"
import { choice, flag, fn, secretText, text, type ValueKind } from "./options.js"
import { mistakeText, type Report } from "./report.js"
import type { ResolvedProvider } from "./settings.js"

/** A provider between entry and resolution. */
export interface Draft {
  /** How the provider is called in messages. */
  readonly label: string
  readonly merged: Readonly<Record<PropertyKey, unknown>>
  readonly report: Report
  /** Where the application has replaced the callback `profile`, but not what the provider's file says of its address: that of the file. */
  readonly filesProfile?: unknown
}

/** The members of each type that can be checked by themselves. */
const oauth: Readonly<Record<string, ValueKind>> = {
  clientId: text,
  clientSecret: { ...secretText, isFit: (value) => typeof value === "string" || typeof value === "function" },
  issuer: text,
  wellKnown: text,
  profile: fn,
  account: fn,
  issuerOf: fn,
  discoveryIssuer: fn,
  callbackProfile: fn,
  emailVerified: fn,
  allowDangerousEmailAccountLinking: flag,
  allowUnverifiedEmail: flag,
  allowInsecureRequests: flag,
  idToken: flag,
}
const membersByType: Readonly<Record<string, Readonly<Record<string, ValueKind>>>> = {
  oauth,
  oidc: oauth,
  email: {
    from: text,
    secret: secretText,
    apiKey: secretText,
    generateVerificationToken: fn,
    normalizeIdentifier: fn,
    confirm: choice("never", "other-browser", "always"),
  },
  credentials: {
    accountField: {
      ...text,
      expected: "the name of a field, or a list of at least one",
      isFit: (value) => isField(value) || (Array.isArray(value) && value.length > 0 && value.every(isField)),
    },
  },
  webauthn: {
    getRelayingParty: fn,
    getUserInfo: fn,
    simpleWebAuthnBrowserVersion: {
      ...text,
      expected: '"v<number>", "v<number>.<number>" or "v<number>.<number>.<number>"',
      isFit: (value) => value === false || (typeof value === "string" && /^v\d+(?:\.\d+){0,2}$/.test(value)),
      remedy: "Leave it out: no script is loaded from another host.",
    },
  },
}
const types = Object.keys(membersByType)

function isField(name: unknown): boolean {
  return typeof name === "string" && name !== ""
}

const furtherChecks: Readonly<Record<string, (draft: Draft) => void>> = {
  email: checkEmail,
  credentials: checkCredentials,
  webauthn: checkWebAuthn,
}

/** What may stand in a path as it is (RFC 3986 §3.3, without what needs escaping). */
const idShape = /^[\w~:@-][\w.~:@-]*$/

/** Reports what is wrong with a provider; `false` means that it cannot even be named. */
export function checkProvider(draft: Draft): boolean {
  const { label, merged, report } = draft
  const { id, name, type } = merged
  if (!isId(id)) {
    const expected = 'a string of letters, digits and "-", "_", ".", "~", that can stand in a path'
    report.mistake(`${label}.id`, { expected, received: id, remedy: 'Give the provider another "id".' })
    return false
  }
  if (typeof type !== "string" || !types.includes(type)) {
    const expected = `one of ${types.join(", ")}`
    report.mistake(`${label}.type`, { expected, received: type, remedy: 'Set "type" of the provider.' })
    return false
  }
  checkKind(text, { option: `${label}.name`, received: name }, report)
  if (typeof merged.discontinued === "string") {
    report.problem(new InvalidConfiguration(`"${label}": ${merged.discontinued}`))
  }
  for (const [member, kind] of Object.entries(membersByType[type] ?? {})) {
    checkKind(kind, { option: `${label}.${member}`, received: merged[member] }, report)
  }
  furtherChecks[type]?.(draft)
  return true
}

/** `undefined` in a path means that no provider is named. */
function isId(id: unknown): id is string {
  if (typeof id !== "string" || id.length > 128 || !idShape.test(id)) return false
  return !id.includes("..") && id !== "undefined" && id !== "__proto__"
}

function checkEmail({ label, merged, report }: Draft): void {
  const received = merged.sendVerificationRequest
  if (typeof received === "function") return
  const remedy = "It sends the message with the link."
  report.mistake(`${label}.sendVerificationRequest`, { expected: "a function", received, remedy })
}

function checkCredentials({ label, merged, report }: Draft): void {
  const { authorize, credentials = {} } = merged
  if (typeof authorize !== "function") {
    const remedy = "It returns the user for the fields of the form."
    const text = mistakeText(`${label}.authorize`, { expected: "a function", received: authorize, remedy })
    report.problem(new MissingAuthorize(text))
  }
  if (!isPlain(credentials)) {
    const remedy = "Each member is a field of the form."
    report.mistake(`${label}.credentials`, { expected: "an object", received: credentials, remedy })
  }
}

/** What a WebAuthn library that a provider brings itself has to have. */
const libraryFunctions = [
  "generateRegistrationOptions",
  "generateAuthenticationOptions",
  "verifyRegistrationResponse",
  "verifyAuthenticationResponse",
] as const

/** The functions that a library lacks; none where there is no library. */
export function missingFunctions(library: unknown): readonly string[] {
  if (isAbsent(library) || library === false) return []
  return libraryFunctions.filter((name) => typeof (library as Members)[name] !== "function")
}

function checkWebAuthn({ label, merged, report }: Draft): void {
  const { simpleWebAuthn: library } = merged
  const missing = missingFunctions(library)
  // A library that lacks a function is refused: ignoring it would ignore a stricter check that it may have.
  if (missing.length > 0) {
    const expected = `an object with the functions ${libraryFunctions.join(", ")}`
    const remedy = `Missing: ${missing.join(", ")}. Add them, or leave "simpleWebAuthn" out.`
    report.mistake(`${label}.simpleWebAuthn`, { expected, received: library, remedy })
  }
}

/** Does a field let the browser offer passkeys? */
export function offersWebAuthn(formFields: unknown): boolean {
  return Object.values(membersOf(formFields)).some((field) => {
    const { autocomplete } = membersOf(field)
    return typeof autocomplete === "string" && autocomplete.toLowerCase().split(/\s+/).includes("webauthn")
  })
}

/** Warns of providers whose callbacks anybody can prepare for somebody else. */
function checkUnchecked(providers: readonly ResolvedProvider[], report: Report): void {
  const ids = providers.filter((provider) => "checks" in provider && provider.checks.length === 0).map(({ id }) => id)
  if (ids.length > 0) report.warn("nothing-checked", `Providers: ${ids.map((id) => `"${id}"`).join(", ")}.`)
}

/** Reports what providers and sessions need of the rest: an adapter, and leave for what is experimental. */
export function checkNeeds(
  { members, providers }: { members: Members; providers: ReadonlyMap<string, ResolvedProvider> },
  report: Report,
): void {
  const all = [...providers.values()]
  const need = (isNeeded: boolean, reason: string, on: Report): void => {
    if (!isNeeded || !isAbsent(members.adapter)) return
    const remedy = 'Set "adapter" to an adapter.'
    on.problem(new MissingAdapter(`"adapter": expected one, because ${reason}, received nothing. ${remedy}`))
  }
  const { strategy, verifyUser } = membersOf(members.session)
  need(strategy === "database", 'session.strategy is "database"', report)
  need(verifyUser === true, "session.verifyUser looks users up", report)
  for (const { id, type } of all) {
    need(type === "email", `the provider "${id}" stores the tokens of its links`, report.ofProvider(id))
    need(type === "webauthn", `the provider "${id}" stores authenticators`, report.ofProvider(id))
  }
  checkUnchecked(all, report)
  const passkeys = all.filter((provider) => provider.type === "webauthn")
  if (passkeys.length === 0) return
  checkOfferedPasskeys(passkeys, report)
  const isEnabled = membersOf(members.experimental).enableWebAuthn === true
  if (isEnabled) report.warn("experimental-webauthn")
  for (const { id } of isEnabled ? [] : passkeys) {
    const expected = `"experimental.enableWebAuthn": expected true, because the provider "${id}" is configured.`
    report.ofProvider(id).problem(new ExperimentalFeatureNotEnabled(`${expected} Set it, or remove the provider.`))
  }
}

function checkOfferedPasskeys(
  passkeys: readonly Extract<ResolvedProvider, { type: "webauthn" }>[],
  report: Report,
): void {
  const offering = passkeys.filter(({ config }) => config.enableConditionalUI)
  const ids = offering.map(({ id }) => `"${id}"`).join(", ")
  // The first one may go on: a page can offer passkeys of one provider while typing.
  for (const { id } of offering.slice(1)) {
    const expected = '"enableConditionalUI": expected one provider that offers passkeys while typing'
    const problem = new DuplicateConditionalUI(`${expected}, received ${ids}. Set it to false on the others.`)
    report.ofProvider(id).problem(problem)
  }
  for (const { id } of offering.filter(({ config }) => !offersWebAuthn(config.formFields))) {
    const expected = `"providers.${id}.formFields": expected a field whose "autocomplete" ends with "webauthn"`
    const remedy = "Add it, or set enableConditionalUI to false."
    report.ofProvider(id).problem(new MissingWebAuthnAutocomplete(`${expected}, received none. ${remedy}`))
  }
}
