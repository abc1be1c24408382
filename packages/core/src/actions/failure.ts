/** The only place that turns errors into responses: the log gets all of an error, the caller its public part, as JSON, a page or a redirect. */
import type { Context } from "../context/context.js"
import { actionUrl, pageUrl } from "../context/urls.js"
import {
  type AuthError,
  ErrorPageLoop,
  type ErrorRow,
  errorRow,
  isCredentialsSignin,
  type TooManyRequests,
  type UnknownAction,
  type UnreadableRequest,
} from "../errors.js"
import { isFor } from "../http/endpoints.js"
import { wantsPage } from "../http/incoming.js"
import { json, type Refusal, type Result, redirect, withHeaders } from "../http/result.js"
import { fromModule } from "../std/lazy.js"
import { withParams } from "../std/url.js"
import { asAuthError } from "./thrown.js"

const showError = fromModule(
  () => import("./error.js"),
  ({ showError }) => showError,
)

/** Turns whatever was thrown into an answer. */
export async function failure(context: Context, thrown: unknown): Promise<Result> {
  const error = asAuthError(context, thrown)
  if (isCancelled(error)) return cancelled(context)
  context.log.error(error)
  const refusal = refusalOf(context, error)
  const headers = refusalHeaders(error, refusal)
  if (answersInPlace(context, error)) return withHeaders(await inPlace(context, error, refusal), headers)
  const { error: value, code, incident } = refusal
  const page = errorRow(error).page === "signIn" ? "signin" : "error"
  if (isFailing(context, page)) return withHeaders(await inPlace(context, error, refusal), headers)
  return redirect(withParams(pageOf(context, page), { error: value, code, incident }), { refusal, headers })
}

/** Is it our own page that failed? A redirect would come back without end. */
function isFailing({ incoming, settings: { pages } }: Context, page: "signin" | "error"): boolean {
  const own = page === "signin" ? pages.signIn : pages.error
  return !own && incoming.method === "GET" && incoming.route?.action === page
}

function answersInPlace(context: Context, error: AuthError): boolean {
  const { route, problem } = context.incoming
  const { rows } = context.settings.features
  // A form asks its user to wait, with the status; a sign-in page would say that what was typed is wrong.
  if (error.type === "TooManyRequests" && context.incoming.caller === "browser") return true
  const isBroken = error === problem || context.settings.generalProblems.includes(error)
  return (
    isBroken ||
    errorRow(error).page === "none" ||
    error.type === "InvalidProvider" ||
    isFor("script", route?.action, rows)
  )
}

/** JSON for scripts; for people a page: the application's own where one is configured, also when the configuration is at fault. */
async function inPlace(context: Context, error: AuthError, refusal: Refusal): Promise<Result> {
  const { incoming } = context
  const { status, incident } = refusal
  if (!wantsPage(incoming)) return json(refusalBody(refusal), { status })
  const own = errorRow(error).value === "Configuration" && status === 500 ? ownErrorPage(context) : undefined
  if (own) return redirect(withParams(own, { error: "Configuration", incident }))
  try {
    return await showError(context, { error: refusal.error, incident, status })
  } catch (thrown) {
    // The page could not be made either, such as where its module is gone: whoever asked still gets an answer.
    context.log.error(asAuthError(context, thrown))
    return json(refusalBody(refusal), { status })
  }
}

function ownErrorPage(context: Context): string | undefined {
  const { incoming, settings } = context
  // Where a page was asked for, a redirect to the sign-in page would come back here.
  if (
    !settings.pages.error ||
    incoming.method !== "GET" ||
    !isFor("person", incoming.route?.action, settings.features.rows)
  )
    return undefined
  const page = pageUrl(context, settings.pages.error)
  const callbackUrl = incoming.query["callbackUrl"]
  const leadsBack = callbackUrl !== undefined && pageUrl(context, callbackUrl).startsWith(page)
  if (!leadsBack) return page
  context.log.error(
    new ErrorPageLoop(
      `The error page ${settings.pages.error} requires a sign-in itself: let people open it without a session.`,
    ),
  )
  return undefined
}

/** The person pressed "cancel" at the provider (RFC 6749 §4.1.2.1): this is not logged as a fault, and the page shows it as a note. */
function isCancelled(error: AuthError): boolean {
  return error.type === "OAuthCallbackError" && error.cause?.["code"] === "access_denied"
}

function cancelled(context: Context): Result {
  context.log.debug("The person refused at the provider.", { provider: context.provider?.id })
  const refusal = { status: 403, error: "AccessDenied", message: "The person refused at the provider." }
  return redirect(withParams(pageOf(context, "signin"), { cancelled: "true" }), { refusal })
}

/** The page of the application where it has one of its own, else ours. */
function pageOf(context: Context, action: "signin" | "error"): string {
  const { signIn, error } = context.settings.pages
  const own = action === "signin" ? signIn : error
  return own ? pageUrl(context, own) : actionUrl(context, action)
}

/** What a caller may know of an error. */
function refusalOf(context: Context, error: AuthError): Refusal {
  const row = errorRow(error)
  const action = context.incoming.route?.action
  const isBegin = action === "signin"
  const value = (isBegin && row.valueAtBegin) || row.value
  const status = statusOf(error, row)
  return {
    status,
    error: value,
    message: messageOf(error, { status, value, isInPlace: row.page === "none" || !(isBegin || action === "callback") }),
    ...(isCredentialsSignin(error) && { code: error.code }),
    ...(row.fault && { incident: context.incident() }),
  }
}

function messageOf(
  { type }: AuthError,
  { isInPlace, status, value }: { isInPlace: boolean; status: number; value: string },
): string {
  if (type === "InvalidProvider") return "There is no such provider, or it does not support this request."
  return (
    ((isInPlace || status === 429) && byStatus[status]) || byValue[value] || "The sign-in did not succeed. Try again."
  )
}

/** The JSON of a refusal: `{ error, message, incident?, code? }`. */
function refusalBody({ error, message, incident, code }: Refusal): Record<string, string> {
  return { error, message, ...(incident && { incident }), ...(code && { code }) }
}

/** Headers that go with a refusal. */
function refusalHeaders(error: AuthError, { incident }: Refusal): Record<string, string> {
  const { allow } = error as UnknownAction
  const { retryAfter } = error as TooManyRequests
  return {
    ...(incident && { "X-Auth-Incident": incident }),
    // RFC 9110 §10.2.3.
    ...(error.type === "TooManyRequests" && { "Retry-After": String(retryAfter) }),
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
  405: "The action does not support this method.",
  413: "The body is too large.",
  415: "The content type of the body is not supported.",
  429: "There were too many tries. Try again later.",
  503: "The session cannot be determined at the moment. Try again.",
}

const byValue: Readonly<Record<string, string>> = {
  Configuration: "There is a problem with the server configuration. The server log says which.",
  AccessDenied: "This user may not sign in.",
  Verification: "The link was used already or has expired.",
  CredentialsSignin: "The credentials are wrong.",
  OAuthAccountNotLinked: "The account, or its address, belongs to another user.",
  EmailSignin: "The link could not be sent.",
  Signin: "The request was refused: load the page again and repeat.",
  SessionRequired: "This needs a recent sign-in: sign in again, then repeat.",
}
