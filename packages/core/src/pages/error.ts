/** The error page: what happened, in words a person can use, and a way on. Nothing of a request is repeated. */
import { type Html, html } from "../std/html.js"
import type { Wording } from "../texts/wording.js"
import type { ErrorPageParam } from "../types/appearance.js"
import type { LinkForm } from "./email.js"
import { drawField, fieldOf } from "./fields.js"
import { incidentLine, layout, type PageParts, type PageView, safeAddress, stateFields } from "./layout.js"
import type { InlineText } from "./theme.js"

/** What the error page shows. Members taken from a query are the page's to check. */
export interface ErrorView extends PageView {
  readonly error?: string | undefined
  readonly incident?: string | undefined
  /** The status it is sent with, where that says more than the public value. */
  readonly status?: number | undefined
  readonly homeUrl: string
  readonly signinUrl: string
  /** Asks for a new link, where links are mailed. */
  readonly newLink?: (LinkForm & { readonly provider: string }) | undefined
  readonly formScript?: InlineText | undefined
}

/** The public values that have a notice. Signing in (again) may help with all of them but the first. */
const named: readonly string[] = ["Configuration", "AccessDenied", "Verification"] satisfies ErrorPageParam[]

/** The notice that a public value chooses, or a status. */
function noticeOf({ error, status = 200 }: ErrorView): ErrorPageParam | "other" | "notFound" | "tooMany" {
  // A link to an address that does not exist is misspelt or old: no fault of this site.
  if (status === 404) return "notFound"
  // RFC 6585 §4.
  if (status === 429) return "tooMany"
  // The request was invalid; nothing is wrong with the site.
  if (status >= 400 && status < 500 && error === "Configuration") return "other"
  return error !== undefined && named.includes(error) ? (error as ErrorPageParam) : "other"
}

/** The error page. Where a link has expired or was used, its form asks for a new one. */
export async function errorPage(view: ErrorView): Promise<PageParts> {
  const { wording, incident, homeUrl, signinUrl, formScript } = view
  const name = noticeOf(view)
  const newLink = name === "Verification" ? view.newLink : undefined
  const offersSignin = name !== "Configuration" && name !== "other"
  const way = html`<a class="primary" href="${safeAddress(signinUrl)}">${wording.text("action.signIn")}</a>`
  return layout(view, {
    title: wording.text(`error.${name}`),
    body: html`<p class="soft">${wording.text(`error.${name}.text`)}</p>
${incidentLine(wording, incident)}
${newLink ? newLinkForm(newLink, wording) : offersSignin ? way : ""}
${newLink ? html`<p class="way"><a href="${safeAddress(signinUrl)}">${wording.text("signin.moreWays")}</a></p>` : ""}
<p class="way"><a href="${safeAddress(homeUrl)}">${wording.text("action.backToSite")}</a></p>`,
    scripts: newLink && formScript ? [formScript] : [],
  })
}

function newLinkForm(form: NonNullable<ErrorView["newLink"]>, wording: Wording): Html {
  const attributes = { label: "Email", type: "email", required: true, autocomplete: "username" }
  const field = fieldOf("email", attributes, wording)
  return html`<form action="${safeAddress(form.action)}" method="post" data-recall>${stateFields(form)}
${drawField(field, { wording, providerId: form.provider, extra: { "data-address": "" } })}
<button class="primary">${wording.text("verify.newLink")}</button></form>`
}
