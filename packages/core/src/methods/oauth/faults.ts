/** How a failed call to a provider is described: our error outside, the library's code inside, never a code, token or secret. */
import { AuthorizationResponseError, ResponseBodyError } from "oauth4webapi"
import { type AuthError, isAuthError, OAuthCallbackError, OAuthSignInError, ProviderUnavailable } from "../../errors.js"

/** The provider did not answer in time, or could not be reached. */
export class Unreachable extends Error {
  /** Code of the network layer, such as `ECONNREFUSED`. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.name = "Unreachable"
    this.code = code
  }
}

/** The provider, its metadata or its response does not follow the protocol. */
export class ProtocolError extends Error {
  /** The error code the provider gave (RFC 6749 §5.2), if it gave one. */
  readonly error: string | undefined
  readonly description: string | undefined

  constructor(message: string, given: { error?: unknown; description?: unknown } = {}) {
    super(message)
    this.name = "ProtocolError"
    this.error = errorCode(given.error)
    this.description = safeDescription(given.description)
  }
}

/** Describes a fault while the request to the provider is built. */
export function asSignInError(error: unknown, provider: string): AuthError {
  return described(error, { provider, failed: "cannot begin", ErrorClass: OAuthSignInError })
}

/** Describes a fault on the way back from the provider. */
export function asCallbackError(error: unknown, provider: string): AuthError {
  return described(error, { provider, failed: "failed", ErrorClass: OAuthCallbackError })
}

function described(
  error: unknown,
  given: { provider: string; failed: string; ErrorClass: typeof OAuthSignInError | typeof OAuthCallbackError },
): AuthError {
  if (isAuthError(error)) return error
  const { provider, failed } = given
  const ErrorClass = error instanceof Unreachable ? ProviderUnavailable : given.ErrorClass
  const cause = { ...factsOf(error), provider }
  return new ErrorClass(`Sign-in with ${provider} ${failed}: ${messageOf(error)}`, { cause })
}

/** Codes by which providers say that the person changed their mind. */
const cancelled: ReadonlySet<string> = new Set(["access_denied", "user_cancelled_authorize", "user_cancelled_login"])

/** Says whether an error code of a provider means that the person cancelled. */
export function isCancelCode(code: string | undefined): boolean {
  return code !== undefined && cancelled.has(code)
}

function factsOf(error: unknown): Record<string, unknown> {
  const facts = { err: bare(error) }
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const reported = { error: errorCode(error.error), description: safeDescription(error.error_description) }
    if (error instanceof ResponseBodyError) return { ...facts, ...reported, code: error.code, status: error.status }
    return { ...facts, ...reported, code: isCancelCode(reported.error) ? "access_denied" : reported.error }
  }
  if (error instanceof ProtocolError) return { ...facts, error: error.error, description: error.description }
  return { ...facts, code: memberOf(error, "code") }
}

/** The error without the members that the library adds to it: bodies, claims and parameters, which hold codes and tokens. */
function bare(error: unknown): Error {
  const copy = new Error(error instanceof Error ? error.message : String(error))
  if (!(error instanceof Error)) return copy
  copy.name = error.name
  if (error.stack !== undefined) copy.stack = error.stack
  return copy
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const reported = memberOf(error, "error")
  return `${error.message}${comparisonOf(error)}${typeof reported === "string" ? ` (${errorCode(reported)})` : ""}`
}

/** Claims whose values may be logged. */
const openClaims: ReadonlySet<unknown> = new Set(["iss", "aud", "azp", "issuer"])

function comparisonOf(error: Error): string {
  const { cause } = error
  const name = memberOf(cause, "claim") ?? memberOf(cause, "attribute")
  const expected = memberOf(cause, "expected")
  if (openClaims.has(name)) {
    const received = memberOf(memberOf(cause, "claims") ?? memberOf(cause, "body"), String(name))
    return `: expected ${quoted(expected)}, received ${quoted(received)}`
  }
  const algorithm = memberOf(memberOf(cause, "header"), "alg")
  return algorithm === undefined
    ? ""
    : `: expected ${quoted(expected ?? "a matching key")}, received ${quoted(algorithm)}`
}

function quoted(value: unknown): string {
  return oneLine(JSON.stringify(value ?? null)).slice(0, 200)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** RFC 6749 §5.2 allows these characters in error codes; anything else is not repeated. */
function errorCode(value: unknown): string | undefined {
  return typeof value === "string" && /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,80}$/.test(value) ? value : undefined
}

/** Text of a provider on one line, short, and without words long enough to be a secret. */
function safeDescription(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "") return undefined
  const words = oneLine(value).slice(0, 1000)
  return words.replace(/[^\s"'(),]{24,}/g, (word) => (/^https?:\/\/[^?#]*$/.test(word) ? word : "[...]")).slice(0, 200)
}

function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, " ")
}
