/** What is wrong with a configuration: every request is refused until it is fixed. */
import { AuthError } from "./auth-error.js"
import type { ErrorType } from "./table.js"

/** Two providers offer passkeys while typing; only one can. */
export class DuplicateConditionalUI extends AuthError {
  static override type: ErrorType = "DuplicateConditionalUI"
}

/** The configured error page asks for a sign-in itself. */
export class ErrorPageLoop extends AuthError {
  static override type: ErrorType = "ErrorPageLoop"
}

/** WebAuthn is used without `experimental.enableWebAuthn`. */
export class ExperimentalFeatureNotEnabled extends AuthError {
  static override type: ErrorType = "ExperimentalFeatureNotEnabled"
}

/** A return address is not an http(s) address. */
export class InvalidCallbackUrl extends AuthError {
  static override type: ErrorType = "InvalidCallbackUrl"
}

/** An option has a value that cannot work. */
export class InvalidConfiguration extends AuthError {
  static override type: ErrorType = "InvalidConfiguration"
}

/** A provider has neither an issuer nor all of its endpoints. */
export class InvalidEndpoints extends AuthError {
  static override type: ErrorType = "InvalidEndpoints"
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

/** There is no secret, or an empty one. */
export class MissingSecret extends AuthError {
  static override type: ErrorType = "MissingSecret"
}

/** Passkeys while typing need a field with `autocomplete` `webauthn`. */
export class MissingWebAuthnAutocomplete extends AuthError {
  static override type: ErrorType = "MissingWebAuthnAutocomplete"
}

/** Providers and session strategy do not go together. */
export class UnsupportedStrategy extends AuthError {
  static override type: ErrorType = "UnsupportedStrategy"
}

/** The host of the request may not be believed; set `trustHost` or `AUTH_URL`. */
export class UntrustedHost extends AuthError {
  static override type: ErrorType = "UntrustedHost"
}
