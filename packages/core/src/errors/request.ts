/** What stops a request, a session or an operation below. */
import { AuthError } from "./auth-error.js"
import type { ErrorType } from "./table.js"

/** The `signIn` callback refused or threw, or the id of a new account looks like the number of another. */
export class AccessDenied extends AuthError {
  static override type: ErrorType = "AccessDenied"
}

/** An operation of the adapter failed; `cause.operation` names it. */
export class AdapterError extends AuthError {
  static override type: ErrorType = "AdapterError"
}

/** A callback of the application or the engine failed on the way back from a provider. */
export class CallbackRouteError extends AuthError {
  static override type: ErrorType = "CallbackRouteError"
}

/** A handler of `events` threw. Logged only. */
export class EventError extends AuthError {
  static override type: ErrorType = "EventError"
}

/** State, PKCE, nonce or challenge are missing, too old, of another provider or wrong. */
export class InvalidCheck extends AuthError {
  static override type: ErrorType = "InvalidCheck"
}

/** There is no such provider, or it does not support this request. */
export class InvalidProvider extends AuthError {
  static override type: ErrorType = "InvalidProvider"
}

/** The session could not be determined: a callback failed (jwt strategy). */
export class JWTSessionError extends AuthError {
  static override type: ErrorType = "JWTSessionError"
  /** 500 when a callback of the application failed. */
  override status: 500 | 503 = 503
}

/** The session could not be determined: the store or a callback failed (database strategy). */
export class SessionTokenError extends AuthError {
  static override type: ErrorType = "SessionTokenError"
  /** 500 when a callback of the application failed. */
  override status: 500 | 503 = 503
}

/** The session could not be removed, so that a copy of its cookie still opens it; the cookie itself is gone. */
export class SignOutError extends AuthError {
  static override type: ErrorType = "SignOutError"
}

/** The e-mail link was used already, has ended or is not ours. */
export class Verification extends AuthError {
  static override type: ErrorType = "Verification"
}

/** There were too many tries; `retryAfter` says in how many seconds there may be another. */
export class TooManyRequests extends AuthError {
  static override type: ErrorType = "TooManyRequests"
  /** HTTP status: 429. */
  override status = 429 as const
  /** Seconds. */
  retryAfter = 1
  /** What Express and others add to their answer (RFC 9110 §10.2.3). */
  get headers(): { readonly "Retry-After": string } {
    return { "Retry-After": String(this.retryAfter) }
  }
}

/** There is no such action, or not with this method; `status` is 404 or 405 and `allow` lists the methods that are served. */
export class UnknownAction extends AuthError {
  static override type: ErrorType = "UnknownAction"
  /** HTTP status: 404 for an unknown action, 405 for a method it does not have. */
  override status: 404 | 405 = 404
  /** The methods that are served, for the header `Allow`; `undefined` with status 404. */
  allow: readonly string[] = []
}

/** Address, path, query, cookies or body cannot be read: 400 malformed, 413 too large, 415 unknown content type. */
export class UnreadableRequest extends AuthError {
  static override type: ErrorType = "UnreadableRequest"
  /** HTTP status: 400 malformed, 413 too large, 415 unknown content type. */
  override status: 400 | 413 | 415 = 400
}
