/** What is wrong with one provider, whatever its protocol. */
import { MissingAuthorize } from "../errors.js"
import { isPlain, membersOf } from "./members.js"
import { mistakeText } from "./mistake.js"
import type { Report } from "./report.js"

type Merged = Readonly<Record<PropertyKey, unknown>>

const types = ["oauth", "oidc", "email", "credentials", "webauthn"]
/** What may stand in a path as it is (RFC 3986 §3.3, without what needs escaping). */
const idShape = /^[\w~:@-][\w.~:@-]*$/

/** Judges a provider; `false` means that it cannot even be named. */
export function judgeProvider(label: string, provider: Merged, report: Report): boolean {
  const { id, name, type } = provider
  if (!isId(id)) {
    const expected = 'a text of letters, digits and "-", "_", ".", "~", that can stand in a path'
    report.mistake(`${label}.id`, { expected, received: id, mend: 'Give the provider another "id".' })
    return false
  }
  if (typeof type !== "string" || !types.includes(type)) {
    const expected = `one of ${types.join(", ")}`
    report.mistake(`${label}.type`, { expected, received: type, mend: 'Set "type" of the provider.' })
    return false
  }
  if (name !== undefined && typeof name !== "string") {
    report.mistake(`${label}.name`, { expected: "a text", received: name, mend: "It is the label of the button." })
  }
  judges[type]?.(label, provider, report)
  return true
}

/** `undefined` in a path means that no provider is named. */
function isId(id: unknown): id is string {
  return (
    typeof id === "string" &&
    id.length <= 128 &&
    idShape.test(id) &&
    !id.includes("..") &&
    id !== "undefined" &&
    id !== "__proto__"
  )
}

const judges: Readonly<Record<string, (label: string, provider: Merged, report: Report) => void>> = {
  oauth: judgeOAuth,
  oidc: judgeOAuth,
  email: judgeEmail,
  credentials: judgeCredentials,
  webauthn: judgeWebAuthn,
}

function judgeOAuth(label: string, provider: Merged, report: Report): void {
  const texts = ["clientId", "issuer", "wellKnown"] as const
  for (const name of texts) mustBe(report, `${label}.${name}`, provider[name], "string")
  const { clientSecret } = provider
  if (clientSecret !== undefined && clientSecret !== null && typeof clientSecret !== "function") {
    mustBe(report, `${label}.clientSecret`, clientSecret, "string", true)
  }
  const functions = ["profile", "account", "issuerOf", "discoveryIssuer", "callbackProfile", "emailVerified"] as const
  for (const name of functions) mustBe(report, `${label}.${name}`, provider[name], "function")
  for (const name of ["allowDangerousEmailAccountLinking", "allowInsecureRequests", "idToken"] as const) {
    mustBe(report, `${label}.${name}`, provider[name], "boolean")
  }
}

function judgeEmail(label: string, provider: Merged, report: Report): void {
  const { sendVerificationRequest, confirm = "never" } = provider
  if (typeof sendVerificationRequest !== "function") {
    const mend = "It sends the message with the link."
    const expected = "a function"
    report.mistake(`${label}.sendVerificationRequest`, { expected, received: sendVerificationRequest, mend })
  }
  for (const name of ["generateVerificationToken", "normalizeIdentifier"] as const) {
    mustBe(report, `${label}.${name}`, provider[name], "function")
  }
  for (const name of ["secret", "apiKey"] as const) {
    mustBe(report, `${label}.${name}`, provider[name], "string", true)
  }
  if (!["never", "other-browser", "always"].includes(confirm as string)) {
    const expected = '"never", "other-browser" or "always"'
    report.mistake(`${label}.confirm`, { expected, received: confirm, mend: "Leave it out for the default." })
  }
}

function judgeCredentials(label: string, provider: Merged, report: Report): void {
  const { authorize, credentials = {} } = provider
  if (typeof authorize !== "function") {
    const given = { expected: "a function", received: authorize, mend: "It says who signs in with what the form held." }
    report.problem(new MissingAuthorize(mistakeText(`${label}.authorize`, given)))
  }
  if (!isPlain(credentials)) {
    const mend = "Each member is a field of the form."
    report.mistake(`${label}.credentials`, { expected: "an object", received: credentials, mend })
  }
}

function judgeWebAuthn(label: string, provider: Merged, report: Report): void {
  for (const name of ["getRelayingParty", "getUserInfo"] as const) {
    mustBe(report, `${label}.${name}`, provider[name], "function")
  }
  const version = provider.simpleWebAuthnBrowserVersion
  if (version === undefined || version === null || version === false) return
  if (typeof version === "string" && /^v\d+(?:\.\d+){0,2}$/.test(version)) return
  const expected = '"v<number>", "v<number>.<number>" or "v<number>.<number>.<number>"'
  const mend = "Leave it out: nothing is loaded from elsewhere."
  report.mistake(`${label}.simpleWebAuthnBrowserVersion`, { expected, received: version, mend })
}

function mustBe(
  report: Report,
  option: string,
  received: unknown,
  type: "string" | "boolean" | "function",
  isSecret = false,
): void {
  if (received === undefined || received === null || typeof received === type) return
  const expected = type === "string" ? "a text" : `a ${type}`
  report.mistake(option, { expected, received, mend: "Correct it, or leave it out.", isSecret })
}

/** Does a field let the browser offer passkeys? */
export function offersWebAuthn(formFields: unknown): boolean {
  return Object.values(membersOf(formFields)).some((field) => {
    const { autocomplete } = membersOf(field)
    return typeof autocomplete === "string" && autocomplete.toLowerCase().split(/\s+/).includes("webauthn")
  })
}
