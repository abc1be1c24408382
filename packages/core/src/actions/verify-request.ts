/** GET `verify-request`: the page that says that a mail is on its way, and changes nothing. */
import type { Context } from "../context/context.js"
import { pageUrl } from "../context/urls.js"
import { page, type Result, redirect } from "../http/result.js"
import { verifyRequestPage as renderVerifyRequestPage } from "../pages/email.js"
import { withParams } from "../std/url.js"

/** Says that a mail is on its way. A page of the application stands in for it and gets the same query. */
export async function verifyRequestPage(context: Context): Promise<Result> {
  const { settings, incoming } = context
  if (settings.pages.verifyRequest) {
    return redirect(withParams(pageUrl(context, settings.pages.verifyRequest), { ...incoming.query }))
  }
  return page(await renderVerifyRequestPage({ theme: settings.theme, homeUrl: incoming.origin }))
}
