/** GET `error`: the page that says what went wrong, and changes nothing. */
import type { Context } from "../context/context.js"
import { actionUrl, pageUrl } from "../context/urls.js"
import { pageViewOf } from "../context/wording.js"
import { page, type Result, redirect } from "../http/result.js"
import { errorPage as renderErrorPage } from "../pages/error.js"
import { formScript } from "../pages/form-script.js"
import { withParams } from "../std/url.js"
import { linkForm } from "./link-form.js"

/** Shows what went wrong, on the application's own page where one is configured. */
export async function errorPage(context: Context): Promise<Result> {
  const { settings, incoming } = context
  const { error, incident } = incoming.query
  if (settings.pages.error) return redirect(withParams(pageUrl(context, settings.pages.error), { error, incident }))
  return showError(context, { error, incident })
}

/** The built-in error page for a public value, with the status that goes with it. */
export async function showError(
  context: Context,
  { error, incident, status }: { error: string | undefined; incident: string | undefined; status?: number },
): Promise<Result> {
  const link = error === "Verification" && status === undefined ? await linkForm(context) : undefined
  const { origin, problem } = context.incoming
  const document = await renderErrorPage({
    ...(await pageViewOf(context)),
    error,
    incident,
    status,
    // A host that is refused, or not known, is not linked to either.
    homeUrl: problem?.type === "UntrustedHost" || problem?.type === "UnreadableRequest" ? "/" : origin,
    signinUrl: actionUrl(context, "signin"),
    newLink: link?.form,
    formScript,
  })
  return page(document, { status: status ?? statusOf(error), cookies: link?.cookies ?? [] })
}

function statusOf(error: string | undefined): number {
  if (error === "Configuration") return 500
  return error === "AccessDenied" || error === "Verification" ? 403 : 200
}
