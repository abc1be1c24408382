/** GET `verify-request`: the page that says that a mail was sent. It changes nothing. */
import type { Context } from "../context/context.js"
import { pageUrl } from "../context/urls.js"
import { wordingOf } from "../context/wording.js"
import { page, type Result, redirect } from "../http/result.js"
import { verifyRequestPage as renderVerifyRequestPage } from "../pages/email.js"
import { withParams } from "../std/url.js"

/** Says that a mail was sent, on the application's own page, with the same query, where one is configured. */
export async function verifyRequestPage(context: Context): Promise<Result> {
  const { settings, incoming } = context
  if (settings.pages.verifyRequest) {
    return redirect(withParams(pageUrl(context, settings.pages.verifyRequest), { ...incoming.query }))
  }
  const wording = await wordingOf(context)
  return page(await renderVerifyRequestPage({ theme: settings.theme, wording, homeUrl: incoming.origin }))
}
