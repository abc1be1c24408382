/** `signout`: the page that asks, and the end of the session. */
import { announceAll } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { issueCsrf, renewCsrf } from "../context/csrf.js"
import { resolveReturnTo, returnToCookie } from "../context/return-to.js"
import { actionUrl, pageUrl } from "../context/urls.js"
import { pageViewOf } from "../context/wording.js"
import { page, type Result, redirect, withCookies } from "../http/result.js"
import { signoutPage as renderSignoutPage, signedOutPage } from "../pages/signout.js"
import { selectStrategy } from "../sessions/select.js"
import { failure } from "./failure.js"
import { visitorOf } from "./sign-in-facts.js"

/** Asks whether to sign out, on the application's own page where one is configured. */
export async function signoutPage(context: Context): Promise<Result> {
  const { settings } = context
  const returnTo = await resolveReturnTo(context)
  const kept = returnToCookie(context, returnTo)
  if (settings.pages.signOut) return redirect(pageUrl(context, settings.pages.signOut), { cookies: kept })
  const visitor = await visitorOf(context)
  if (visitor === null) {
    const addresses = { homeUrl: context.incoming.origin, signinUrl: actionUrl(context, "signin") }
    return page(await signedOutPage({ ...(await pageViewOf(context)), ...addresses }), { cookies: kept })
  }
  const { token, cookies } = await issueCsrf(context)
  const document = await renderSignoutPage({
    ...(await pageViewOf(context)),
    name: visitor?.name,
    signoutUrl: actionUrl(context, "signout"),
    csrfToken: token,
    returnTo,
  })
  return page(document, { cookies: [...cookies, ...kept] })
}

/** Ends the session. The cookie is cleared even when the row cannot be removed; the failure is reported, as an answer and to a caller in this process. */
export async function endSession(context: Context): Promise<Result> {
  const returnTo = await resolveReturnTo(context)
  const ended = await selectStrategy(context.settings).end(context)
  await announceAll(context, ended.events)
  const cookies = [...ended.cookies, ...(await renewCsrf(context))]
  const { failure: failed } = ended
  if (failed) return { ...withCookies(await failure(context, failed), cookies), failed }
  return redirect(returnTo, { cookies })
}
