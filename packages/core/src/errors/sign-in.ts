/** What stops a sign-in and is shown on the sign-in page. */
import { SignInError } from "./auth-error.js"
import type { ErrorType } from "./table.js"

/** The passkey's account belongs to another user, or its address does. */
export class AccountNotLinked extends SignInError {
  static override type: ErrorType = "AccountNotLinked"
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

/** The CSRF token is missing, stale or wrong, or a page of another site sent what needs none. */
export class MissingCSRF extends SignInError {
  static override type: ErrorType = "MissingCSRF"
  /** HTTP status: 403. */
  override status = 403 as const
}

/** The address or account belongs to another user. */
export class OAuthAccountNotLinked extends SignInError {
  static override type: ErrorType = "OAuthAccountNotLinked"
}

/** The provider answered with an error or with an invalid response; `cause` keeps its code. */
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

/** The session is too old to add an account or a passkey to its user: the person has to sign in again first. */
export class ReauthenticationRequired extends SignInError {
  static override type: ErrorType = "ReauthenticationRequired"
}

/** The answer of the authenticator could not be verified. */
export class WebAuthnVerificationError extends SignInError {
  static override type: ErrorType = "WebAuthnVerificationError"
}
