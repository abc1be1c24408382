/** What the outside sees of an error: status, public value, message, incident. The rest stays in the log. */
import type { Context } from "../context/context.js"
import {
  AuthError,
  CallbackRouteError,
  type ErrorRow,
  errorRow,
  isAuthError,
  isCredentialsSignin,
  type UnknownAction,
  type UnreadableRequest,
} from "../errors.js"
import type { Refusal } from "../http/result.js"
import { asToldError, isReadable } from "../ports/thrown.js"

/** What is read of an error beside name, message, stack and cause. */
const membersRead: readonly string[] = ["type", "kind", "code", "status", "allow"]

/** An error of this family; anything else is wrapped, so that its message stays in the log. */
export function asAuthError(context: Context, thrown: unknown): AuthError {
  if (isAuthError(thrown) && isReadable(thrown, membersRead)) return thrown
  const cause = asToldError(thrown)
  return context.incoming.route?.action === "callback" ? new CallbackRouteError(cause) : new AuthError(cause)
}

/** What a caller may know of an error. */
export function refusalOf(context: Context, error: AuthError): Refusal {
  const row = errorRow(error)
  const isBegin = context.incoming.route?.action === "signin"
  const value = (isBegin && row.valueAtBegin) || row.value
  const status = statusOf(error, row)
  return {
    status,
    error: value,
    message: messageOf(error, { row, status, value }),
    ...(isCredentialsSignin(error) && { code: error.code }),
    ...(row.fault && { incident: context.incident() }),
  }
}

function messageOf(
  { type }: AuthError,
  { row, status, value }: { row: ErrorRow; status: number; value: string },
): string {
  if (type === "InvalidProvider") return "There is no such provider, or it does not serve this request."
  return (row.page === "none" && byStatus[status]) || byValue[value] || "The sign-in did not succeed. Try again."
}

/** The JSON of a refusal: `{ error, message, incident?, code? }`. */
export function refusalBody({ error, message, incident, code }: Refusal): Record<string, string> {
  return { error, message, ...(incident && { incident }), ...(code && { code }) }
}

/** Headers that go with a refusal. */
export function refusalHeaders(error: AuthError, { incident }: Refusal): Record<string, string> {
  const { allow } = error as UnknownAction
  return {
    ...(incident && { "X-Auth-Incident": incident }),
    ...(Array.isArray(allow) && allow.length > 0 && { Allow: allow.join(", ") }),
  }
}

function statusOf(error: AuthError, row: ErrorRow): number {
  const own = (error as UnknownAction | UnreadableRequest).status
  return typeof own === "number" ? own : row.status
}

const byStatus: Readonly<Record<number, string>> = {
  400: "The request cannot be read.",
  404: "There is no such action.",
  405: "The action is not served with this method.",
  413: "The body is too large.",
  415: "The content type of the body is not known here.",
  503: "The session cannot be told at the moment. Try again.",
}

const byValue: Readonly<Record<string, string>> = {
  Configuration: "There is a problem with the server configuration. The server log says which.",
  AccessDenied: "This person may not sign in.",
  Verification: "The link was used already or has ended.",
  CredentialsSignin: "The credentials are not right.",
  OAuthAccountNotLinked: "The account belongs to another user, or its address does.",
  EmailSignin: "The link could not be sent.",
  Signin: "The request was refused: load the page again and repeat.",
  SessionRequired: "This needs a session.",
}
