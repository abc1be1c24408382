/** The one translator of errors: logged in full, shown in part, answered in the way the caller understands. */
import type { Context } from "../context/context.js"
import { actionUrl, pageUrl } from "../context/urls.js"
import { type AuthError, ErrorPageLoop, errorRow } from "../errors.js"
import { isFor } from "../http/endpoints.js"
import { json, type Refusal, type Result, redirect, withHeaders } from "../http/result.js"
import { withParams } from "../std/url.js"
import { showError } from "./error.js"
import { asAuthError, refusalBody, refusalHeaders, refusalOf } from "./refusal.js"

/** Turns whatever was thrown into an answer. */
export async function failure(context: Context, thrown: unknown): Promise<Result> {
  const error = asAuthError(context, thrown)
  if (isCancelled(error)) return cancelled(context)
  context.log.error(error)
  const refusal = refusalOf(context, error)
  const headers = refusalHeaders(error, refusal)
  if (answersInPlace(context, error)) return withHeaders(await inPlace(context, error, refusal), headers)
  const { error: value, code, incident } = refusal
  const page = errorRow(error).page === "signIn" ? signinUrl(context) : errorUrl(context)
  return redirect(withParams(page, { error: value, code, incident }), { refusal, headers })
}

function answersInPlace(context: Context, error: AuthError): boolean {
  const { route, problem } = context.incoming
  const isBroken = error === problem || context.settings.generalProblems.includes(error)
  return (
    isBroken || errorRow(error).page === "none" || error.type === "InvalidProvider" || isFor("script", route?.action)
  )
}

/** JSON to scripts; to people a page, their application's own where the configuration is at fault and names one. */
async function inPlace(context: Context, error: AuthError, refusal: Refusal): Promise<Result> {
  const { incoming } = context
  const { status, incident } = refusal
  if (!incoming.wantsHtml || incoming.caller !== "browser") return json(refusalBody(refusal), { status })
  const own = errorRow(error).value === "Configuration" && status === 500 ? ownErrorPage(context) : undefined
  if (own) return redirect(withParams(own, { error: "Configuration", incident }))
  return showError(context, { error: refusal.error, incident, status })
}

function ownErrorPage(context: Context): string | undefined {
  const { incoming, settings } = context
  // Where a page was asked for, a redirect to the sign-in page would come back here.
  if (!settings.pages.error || incoming.method !== "GET" || !isFor("person", incoming.route?.action)) return undefined
  const page = pageUrl(context, settings.pages.error)
  const callbackUrl = incoming.query["callbackUrl"]
  const leadsBack = callbackUrl !== undefined && pageUrl(context, callbackUrl).startsWith(page)
  if (!leadsBack) return page
  context.log.error(new ErrorPageLoop(`The error page ${settings.pages.error} asks for a sign-in itself.`))
  return undefined
}

/** The person pressed "cancel" at the provider (RFC 6749 §4.1.2.1): nothing to log as a fault, and the page says it in passing. */
function isCancelled(error: AuthError): boolean {
  return error.type === "OAuthCallbackError" && error.cause?.["code"] === "access_denied"
}

function cancelled(context: Context): Result {
  context.log.debug("The person refused at the provider.", { provider: context.provider?.id })
  const refusal = { status: 403, error: "AccessDenied", message: "The person refused at the provider." }
  return redirect(withParams(signinUrl(context), { cancelled: "true" }), { refusal })
}

function signinUrl(context: Context): string {
  const { signIn } = context.settings.pages
  return signIn ? pageUrl(context, signIn) : actionUrl(context, "signin")
}

function errorUrl(context: Context): string {
  const { error } = context.settings.pages
  return error ? pageUrl(context, error) : actionUrl(context, "error")
}
