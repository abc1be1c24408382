/** Everything that can go wrong, and for each kind where the person is sent, what is told and with which status. */

/** What made an error: the error below, and facts that help to mend it. Never a secret. */
export type ErrorCause = Record<string, unknown> & { err?: Error }

/** One line of the table: what an error means to the outside. */
export interface ErrorRow {
  /** The page that shows it; `none` answers in place. */
  readonly page: "signIn" | "error" | "none"
  /** The public value of the `error` parameter: a member of the specification's closed lists. */
  readonly value: string
  /** The value while a sign-in is begun, where it differs from that on the way back. */
  readonly valueAtBegin?: string
  /** Status for script callers. */
  readonly status: number
  /** A fault gets an incident id and the level `error`; the rest are refusals. */
  readonly fault: boolean
}

const configuration: ErrorRow = { page: "error", value: "Configuration", status: 500, fault: true }

/** The stable names of errors. */
export type ErrorType =
  | "AuthError"
  | "AccessDenied"
  | "AccountNotLinked"
  | "AdapterError"
  | "CallbackRouteError"
  | "CredentialsSignin"
  | "DuplicateConditionalUI"
  | "EmailAddressRefused"
  | "EmailCreateAccountError"
  | "EmailSignInError"
  | "ErrorPageLoop"
  | "EventError"
  | "ExperimentalFeatureNotEnabled"
  | "InvalidCallbackUrl"
  | "InvalidCheck"
  | "InvalidConfiguration"
  | "InvalidEndpoints"
  | "InvalidProvider"
  | "JWTSessionError"
  | "MissingAdapter"
  | "MissingAdapterMethods"
  | "MissingAuthorize"
  | "MissingCSRF"
  | "MissingSecret"
  | "MissingWebAuthnAutocomplete"
  | "OAuthAccountNotLinked"
  | "OAuthCallbackError"
  | "OAuthCreateAccountError"
  | "OAuthProfileParseError"
  | "OAuthSignInError"
  | "ProviderUnavailable"
  | "SessionTokenError"
  | "SignInError"
  | "SignOutError"
  | "UnknownAction"
  | "UnreadableRequest"
  | "UnsupportedStrategy"
  | "UntrustedHost"
  | "Verification"
  | "WebAuthnVerificationError"

/** The table of all errors, one row for each type. */
// biome-ignore format: a table is read by its columns
export const errorTable: Readonly<Record<ErrorType, ErrorRow>> = {
  AuthError:                     configuration,
  AccessDenied:                  { page: "error",  value: "AccessDenied",          status: 403, fault: false },
  AccountNotLinked:              { page: "signIn", value: "OAuthAccountNotLinked", status: 409, fault: false },
  AdapterError:                  { page: "signIn", value: "Callback", valueAtBegin: "Signin", status: 503, fault: true },
  CallbackRouteError:            { page: "signIn", value: "Callback",              status: 500, fault: true },
  CredentialsSignin:             { page: "signIn", value: "CredentialsSignin",     status: 401, fault: false },
  DuplicateConditionalUI:        configuration,
  EmailAddressRefused:           { page: "signIn", value: "EmailSignin",           status: 400, fault: false },
  EmailCreateAccountError:       { page: "signIn", value: "EmailCreateAccount",    status: 503, fault: true },
  EmailSignInError:              { page: "signIn", value: "EmailSignin",           status: 503, fault: true },
  ErrorPageLoop:                 configuration,
  EventError:                    configuration,
  ExperimentalFeatureNotEnabled: configuration,
  InvalidCallbackUrl:            configuration,
  InvalidCheck:                  { page: "signIn", value: "OAuthCallbackError",    status: 400, fault: true },
  InvalidConfiguration:          configuration,
  InvalidEndpoints:              configuration,
  InvalidProvider:               { page: "error",  value: "Configuration",         status: 404, fault: false },
  JWTSessionError:               { page: "none",   value: "Configuration",         status: 503, fault: true },
  MissingAdapter:                configuration,
  MissingAdapterMethods:         configuration,
  MissingAuthorize:              configuration,
  MissingCSRF:                   { page: "signIn", value: "Signin",                status: 403, fault: false },
  MissingSecret:                 configuration,
  MissingWebAuthnAutocomplete:   configuration,
  OAuthAccountNotLinked:         { page: "signIn", value: "OAuthAccountNotLinked", status: 409, fault: false },
  OAuthCallbackError:            { page: "signIn", value: "OAuthCallbackError",    status: 502, fault: true },
  OAuthCreateAccountError:       { page: "signIn", value: "OAuthCreateAccount",    status: 503, fault: true },
  OAuthProfileParseError:        { page: "signIn", value: "OAuthCallbackError",    status: 502, fault: true },
  OAuthSignInError:              { page: "signIn", value: "OAuthSignin",           status: 503, fault: true },
  ProviderUnavailable:           { page: "signIn", value: "Callback", valueAtBegin: "OAuthSignin", status: 503, fault: true },
  SessionTokenError:             { page: "none",   value: "Configuration",         status: 503, fault: true },
  SignInError:                   { page: "signIn", value: "Signin",                status: 400, fault: false },
  SignOutError:                  { page: "error",  value: "Configuration",         status: 503, fault: true },
  UnknownAction:                 { page: "none",   value: "Configuration",         status: 404, fault: false },
  UnreadableRequest:             { page: "none",   value: "Configuration",         status: 400, fault: false },
  UnsupportedStrategy:           configuration,
  UntrustedHost:                 configuration,
  Verification:                  { page: "error",  value: "Verification",          status: 403, fault: false },
  WebAuthnVerificationError:     { page: "signIn", value: "Signin",                status: 401, fault: false },
}

/**
 * Base of all errors. `type` names the error in logs and never changes; messages may.
 * The first argument is a message or the error below; `cause` of the second carries further facts.
 */
export class AuthError extends Error {
  static type: ErrorType = "AuthError"
  static kind: "signIn" | "error" = "error"
  /** Identifies the error in logs. */
  readonly type: ErrorType
  /** Which page is meant for it. */
  readonly kind: "signIn" | "error"
  declare readonly cause?: ErrorCause

  constructor(
    message?: string | Error | { cause?: ErrorCause | Error },
    options?: { cause?: unknown } | Error | Record<string, unknown>,
  ) {
    super(textOf(message))
    const cause = causeOf(message, options)
    if (cause)
      Object.defineProperty(this, "cause", { value: cause, enumerable: false, configurable: true, writable: true })
    const own = new.target as typeof AuthError
    this.type = own.type
    this.kind = own.kind
    this.name = own.name
  }
}

function textOf(message: unknown): string {
  if (typeof message === "string") return message
  return message instanceof Error ? message.message : ""
}

function causeOf(message: unknown, options: unknown): ErrorCause | undefined {
  const first = message instanceof Error ? { err: message, ...recordOf(message.cause) } : recordOf(memberCause(message))
  const second =
    options instanceof Error
      ? { err: options }
      : "cause" in recordOf(options)
        ? recordOf(memberCause(options))
        : recordOf(options)
  const cause = { ...first, ...second }
  return Object.keys(cause).length > 0 ? cause : undefined
}

function memberCause(value: unknown): unknown {
  const { cause } = recordOf(value)
  return cause instanceof Error ? { err: cause } : cause
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !(value instanceof Error) ? { ...value } : {}
}

/** Errors that are shown on the sign-in page. */
export class SignInError extends AuthError {
  static override type: ErrorType = "SignInError"
  static override kind: "signIn" | "error" = "signIn"
}

/**
 * Thrown from `authorize`: the credentials are wrong. Subclass it to set a `code` of your own; the code
 * travels in the address of the sign-in page, so it must not tell which part was wrong.
 */
export class CredentialsSignin extends SignInError {
  static override type: ErrorType = "CredentialsSignin"
  /** @default "credentials" */
  code = "credentials"
}

/** The `signIn` callback refused or threw. */
export class AccessDenied extends AuthError {
  static override type: ErrorType = "AccessDenied"
}

/** The passkey's account belongs to another user, or its address does. */
export class AccountNotLinked extends SignInError {
  static override type: ErrorType = "AccountNotLinked"
}

/** An operation of the adapter failed; `cause.operation` names it. */
export class AdapterError extends AuthError {
  static override type: ErrorType = "AdapterError"
}

/** A callback of the application or the engine failed on the way back from a provider. */
export class CallbackRouteError extends AuthError {
  static override type: ErrorType = "CallbackRouteError"
}

/** Two providers offer passkeys while typing; only one can. */
export class DuplicateConditionalUI extends AuthError {
  static override type: ErrorType = "DuplicateConditionalUI"
}

/** What was typed is not exactly one e-mail address. */
export class EmailAddressRefused extends SignInError {
  static override type: ErrorType = "EmailAddressRefused"
}

/** The user of a followed link could not be stored. */
export class EmailCreateAccountError extends SignInError {
  static override type: ErrorType = "EmailCreateAccountError"
}

/** The message with the link could not be sent. */
export class EmailSignInError extends SignInError {
  static override type: ErrorType = "EmailSignInError"
}

/** The configured error page asks for a sign-in itself. */
export class ErrorPageLoop extends AuthError {
  static override type: ErrorType = "ErrorPageLoop"
}

/** A handler of `events` threw. Logged only. */
export class EventError extends AuthError {
  static override type: ErrorType = "EventError"
}

/** WebAuthn is used without `experimental.enableWebAuthn`. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type: ErrorType = "ExperimentalFeatureNotEnabled"
}

/** A return address is not an http(s) address. */
export class InvalidCallbackUrl extends AuthError {
  static override type: ErrorType = "InvalidCallbackUrl"
}

/** State, PKCE, nonce or challenge are missing, too old, of another provider or wrong. */
export class InvalidCheck extends AuthError {
  static override type: ErrorType = "InvalidCheck"
}

/** An option has a value that cannot work. */
export class InvalidConfiguration extends AuthError {
  static override type: ErrorType = "InvalidConfiguration"
}

/** A provider has neither an issuer nor all of its endpoints. */
export class InvalidEndpoints extends AuthError {
  static override type: ErrorType = "InvalidEndpoints"
}

/** There is no such provider, or it does not serve this request. */
export class InvalidProvider extends AuthError {
  static override type: ErrorType = "InvalidProvider"
}

/** The session could not be told: a callback failed (jwt strategy). */
export class JWTSessionError extends AuthError {
  static override type: ErrorType = "JWTSessionError"
  /** 500 when a callback of the application failed. */
  status: 500 | 503 = 503
}

/** The configuration needs an adapter and has none. */
export class MissingAdapter extends AuthError {
  static override type: ErrorType = "MissingAdapter"
}

/** The adapter lacks an operation that is needed; the message names it. */
export class MissingAdapterMethods extends AuthError {
  static override type: ErrorType = "MissingAdapterMethods"
}

/** A credentials provider has no `authorize`. */
export class MissingAuthorize extends AuthError {
  static override type: ErrorType = "MissingAuthorize"
}

/** The CSRF token is missing, stale or wrong. */
export class MissingCSRF extends SignInError {
  static override type: ErrorType = "MissingCSRF"
}

/** There is no secret, or an empty one. */
export class MissingSecret extends AuthError {
  static override type: ErrorType = "MissingSecret"
}

/** Passkeys while typing need a field with `autocomplete` `webauthn`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type: ErrorType = "MissingWebAuthnAutocomplete"
}

/** The address or account belongs to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type: ErrorType = "OAuthAccountNotLinked"
}

/** The provider answered with an error or with something unfit; `cause` keeps its code. */
export class OAuthCallbackError extends SignInError {
  static override type: ErrorType = "OAuthCallbackError"
}

/** The user of a provider sign-in could not be stored. */
export class OAuthCreateAccountError extends SignInError {
  static override type: ErrorType = "OAuthCreateAccountError"
}

/** The `profile` callback threw or returned nothing usable. */
export class OAuthProfileParseError extends SignInError {
  static override type: ErrorType = "OAuthProfileParseError"
}

/** The request to the provider could not be built. */
export class OAuthSignInError extends SignInError {
  static override type: ErrorType = "OAuthSignInError"
}

/** The provider could not be reached in time. */
export class ProviderUnavailable extends SignInError {
  static override type: ErrorType = "ProviderUnavailable"
}

/** The session could not be told: the store or a callback failed (database strategy). */
export class SessionTokenError extends AuthError {
  static override type: ErrorType = "SessionTokenError"
  /** 500 when a callback of the application failed. */
  status: 500 | 503 = 503
}

/** The session row could not be removed; the cookie is gone. */
export class SignOutError extends AuthError {
  static override type: ErrorType = "SignOutError"
}

/** Providers and session strategy do not go together. */
export class UnsupportedStrategy extends AuthError {
  static override type: ErrorType = "UnsupportedStrategy"
}

/** The host of the request may not be believed; set `trustHost` or `AUTH_URL`. */
export class UntrustedHost extends AuthError {
  static override type: ErrorType = "UntrustedHost"
}

/** The e-mail link was used already, has ended or is not ours. */
export class Verification extends AuthError {
  static override type: ErrorType = "Verification"
}

/** The answer of the authenticator could not be verified. */
export class WebAuthnVerificationError extends SignInError {
  static override type: ErrorType = "WebAuthnVerificationError"
}

/** There is no such action, or not with this method; `status` is 404 or 405 and `allow` lists the methods that are served. */
export class UnknownAction extends AuthError {
  static override type: ErrorType = "UnknownAction"
  status: 404 | 405 = 404
  allow: readonly string[] = []
}

/** Path, query, cookies or body cannot be read: 400 malformed, 413 too large, 415 unknown content type. */
export class UnreadableRequest extends AuthError {
  static override type: ErrorType = "UnreadableRequest"
  status: 400 | 413 | 415 = 400
}

const safeForClients: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AccountNotLinked",
  "CredentialsSignin",
  "MissingCSRF",
  "OAuthAccountNotLinked",
  "OAuthCallbackError",
  "Verification",
  "WebAuthnVerificationError",
])

/** Says whether a value is an error of this family, also when another copy of the package made it. */
export function isAuthError(value: unknown): value is AuthError {
  if (value instanceof AuthError) return true
  return value instanceof Error && "type" in value && typeof value.type === "string" && Object.hasOwn(errorTable, value.type)
}

/** Says whether the type of an error may be told to the browser. */
export function isClientError(value: Error): value is AuthError {
  return isAuthError(value) && safeForClients.has(value.type)
}

/** Says whether a value means wrong credentials, also when another copy of the package made it. */
export function isCredentialsSignin(value: unknown): value is CredentialsSignin {
  return isAuthError(value) && (value.type === "CredentialsSignin" || value instanceof CredentialsSignin)
}
