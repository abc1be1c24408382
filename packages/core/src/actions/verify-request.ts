/** GET `verify-request`: the page that says that a mail was sent. It changes nothing. */
import type { Context } from "../context/context.js"
import { actionUrl, pageUrl } from "../context/urls.js"
import { pageViewOf } from "../context/wording.js"
import { page, type Result, redirect } from "../http/result.js"
import { verifyRequestPage as renderVerifyRequestPage } from "../pages/email.js"
import { formScript } from "../pages/form-script.js"
import { withParams } from "../std/url.js"
import { linkForm } from "./link-form.js"

/** Says that a mail was sent, on the application's own page, with the same query, where one is configured. */
export async function verifyRequestPage(context: Context): Promise<Result> {
  const { settings, incoming } = context
  if (settings.pages.verifyRequest) {
    return redirect(withParams(pageUrl(context, settings.pages.verifyRequest), { ...incoming.query }))
  }
  const again = await linkForm(context, incoming.query["provider"])
  const document = await renderVerifyRequestPage({
    ...(await pageViewOf(context)),
    homeUrl: incoming.origin,
    signinUrl: actionUrl(context, "signin"),
    again: again?.form,
    formScript,
  })
  return page(document, { cookies: again?.cookies ?? [] })
}
