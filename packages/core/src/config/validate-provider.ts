/** What is wrong with one provider, whatever its protocol. */
import { InvalidConfiguration, MissingAuthorize } from "../errors.js"
import { isPlain, membersOf } from "./members.js"
import { mistakeText } from "./mistake.js"
import { judgeChoice, judgeKind } from "./option-values.js"
import type { Report } from "./report.js"

type Merged = Readonly<Record<PropertyKey, unknown>>
interface Judged {
  /** How the provider is called in messages. */
  readonly label: string
  readonly provider: Merged
  readonly report: Report
}

const types = ["oauth", "oidc", "email", "credentials", "webauthn"]
/** What may stand in a path as it is (RFC 3986 §3.3, without what needs escaping). */
const idShape = /^[\w~:@-][\w.~:@-]*$/

/** Judges a provider; `false` means that it cannot even be named. */
export function judgeProvider(label: string, provider: Merged, report: Report): boolean {
  const { id, name, type } = provider
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
  judgeKind("text", { option: `${label}.name`, received: name }, report)
  if (typeof provider.discontinued === "string") {
    report.problem(new InvalidConfiguration(`"${label}": ${provider.discontinued}`))
  }
  judges[type]?.({ label, provider, report })
  return true
}

/** `undefined` in a path means that no provider is named. */
function isId(id: unknown): id is string {
  if (typeof id !== "string" || id.length > 128 || !idShape.test(id)) return false
  return !id.includes("..") && id !== "undefined" && id !== "__proto__"
}

const judges: Readonly<Record<string, (judged: Judged) => void>> = {
  oauth: judgeOAuth,
  oidc: judgeOAuth,
  email: judgeEmail,
  credentials: judgeCredentials,
  webauthn: judgeWebAuthn,
}

const kindsOfOAuth = {
  text: ["clientId", "issuer", "wellKnown"],
  secret: [],
  function: ["profile", "account", "issuerOf", "discoveryIssuer", "callbackProfile", "emailVerified"],
  flag: ["allowDangerousEmailAccountLinking", "allowUnverifiedEmail", "allowInsecureRequests", "idToken"],
} as const
const kindsOfEmail = {
  text: ["from"],
  secret: ["secret", "apiKey"],
  function: ["generateVerificationToken", "normalizeIdentifier"],
  flag: [],
} as const

function judgeKindsOf({ label, provider, report }: Judged, kinds: typeof kindsOfOAuth | typeof kindsOfEmail): void {
  for (const kind of ["text", "secret", "function", "flag"] as const) {
    for (const name of kinds[kind]) judgeKind(kind, { option: `${label}.${name}`, received: provider[name] }, report)
  }
}

function judgeOAuth(judged: Judged): void {
  judgeKindsOf(judged, kindsOfOAuth)
  const { label, provider, report } = judged
  if (typeof provider.clientSecret !== "function")
    judgeKind("secret", { option: `${label}.clientSecret`, received: provider.clientSecret }, report)
}

function judgeEmail(judged: Judged): void {
  judgeKindsOf(judged, kindsOfEmail)
  const { label, provider, report } = judged
  judgeChoice(["never", "other-browser", "always"], { option: `${label}.confirm`, received: provider.confirm }, report)
  if (typeof provider.sendVerificationRequest === "function") return
  const given = { expected: "a function", received: provider.sendVerificationRequest }
  report.mistake(`${label}.sendVerificationRequest`, { ...given, remedy: "It sends the message with the link." })
}

function judgeCredentials({ label, provider, report }: Judged): void {
  const { authorize, credentials = {} } = provider
  if (typeof authorize !== "function") {
    const given = {
      expected: "a function",
      received: authorize,
      remedy: "It says who signs in with what the form held.",
    }
    report.problem(new MissingAuthorize(mistakeText(`${label}.authorize`, given)))
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
  if (library === undefined || library === null || library === false) return []
  return libraryFunctions.filter((name) => typeof (library as Merged)[name] !== "function")
}

/** A library that could not serve whole is refused: passing over it would pass over a stricter check of its own. */
function judgeLibrary({ label, provider, report }: Judged): void {
  const library = provider.simpleWebAuthn
  const missing = missingFunctions(library)
  if (missing.length === 0) return
  const expected = `an object with the functions ${libraryFunctions.join(", ")}`
  const remedy = `Missing: ${missing.join(", ")}. Add them, or leave "simpleWebAuthn" out.`
  report.mistake(`${label}.simpleWebAuthn`, { expected, received: library, remedy })
}

function judgeWebAuthn(judged: Judged): void {
  const { label, provider, report } = judged
  for (const name of ["getRelayingParty", "getUserInfo"])
    judgeKind("function", { option: `${label}.${name}`, received: provider[name] }, report)
  judgeLibrary(judged)
  const version = provider.simpleWebAuthnBrowserVersion
  if (version === undefined || version === null || version === false) return
  if (typeof version === "string" && /^v\d+(?:\.\d+){0,2}$/.test(version)) return
  const expected = '"v<number>", "v<number>.<number>" or "v<number>.<number>.<number>"'
  const remedy = "Leave it out: nothing is loaded from elsewhere."
  report.mistake(`${label}.simpleWebAuthnBrowserVersion`, { expected, received: version, remedy })
}

/** Does a field let the browser offer passkeys? */
export function offersWebAuthn(formFields: unknown): boolean {
  return Object.values(membersOf(formFields)).some((field) => {
    const { autocomplete } = membersOf(field)
    return typeof autocomplete === "string" && autocomplete.toLowerCase().split(/\s+/).includes("webauthn")
  })
}
