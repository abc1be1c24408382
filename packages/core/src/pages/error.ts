/** The error page: what happened, in words a person can use, and a way on. Nothing of a request is repeated. */
import { type Html, html } from "../std/html.js"
import type { Wording } from "../texts/wording.js"
import type { ErrorPageParam } from "../types/appearance.js"
import type { LinkForm } from "./email.js"
import { drawField, fieldOf } from "./fields.js"
import { hiddenFields, incidentLine, layout, type PageParts, type PageView, safeAddress } from "./layout.js"
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

/** The notices that a public value chooses, and those that a status does. */
type NoticeName = ErrorPageParam | "other" | "notFound" | "tooMany"

interface Notice {
  readonly name: NoticeName
  /** Signing in (again) may help. */
  readonly offersSignin: boolean
}

const notices: Readonly<Record<ErrorPageParam, Notice>> = {
  Configuration: { name: "Configuration", offersSignin: false },
  AccessDenied: { name: "AccessDenied", offersSignin: true },
  Verification: { name: "Verification", offersSignin: true },
}

const unknown: Notice = { name: "other", offersSignin: false }

/** An address that nothing answers to is no fault of this site: a link to it is misspelt, or of old. */
const notFound: Notice = { name: "notFound", offersSignin: true }

/** RFC 6585 §4. */
const tooMany: Notice = { name: "tooMany", offersSignin: true }

function noticeOf({ error, status = 200 }: ErrorView): Notice {
  if (status === 404) return notFound
  if (status === 429) return tooMany
  // The request was invalid; nothing is wrong with the site.
  if (status >= 400 && status < 500 && error === "Configuration") return unknown
  return error !== undefined && Object.hasOwn(notices, error) ? notices[error as ErrorPageParam] : unknown
}

/** The error page. A link that is over is replaced right here. */
export async function errorPage(view: ErrorView): Promise<PageParts> {
  const { theme, wording, incident, homeUrl, signinUrl, formScript } = view
  const { name, offersSignin } = noticeOf(view)
  const newLink = name === "Verification" ? view.newLink : undefined
  const way = html`<a class="primary" href="${safeAddress(signinUrl)}">${wording.text("action.signIn")}</a>`
  return layout({
    title: wording.text(`error.${name}`),
    theme,
    wording,
    body: html`<h1>${wording.text(`error.${name}`)}</h1>
<p class="soft">${wording.text(`error.${name}.text`)}</p>
${incidentLine(wording, incident)}
${newLink ? newLinkForm(newLink, wording) : offersSignin ? way : ""}
${newLink ? html`<p class="way"><a href="${safeAddress(signinUrl)}">${wording.text("signin.moreWays")}</a></p>` : ""}
<p class="way"><a href="${safeAddress(homeUrl)}">${wording.text("action.backToSite")}</a></p>`,
    scripts: newLink && formScript ? [formScript] : [],
  })
}

function newLinkForm(
  { action, csrfToken, returnTo, provider }: NonNullable<ErrorView["newLink"]>,
  wording: Wording,
): Html {
  const attributes = { label: "Email", type: "email", required: true, autocomplete: "username" }
  const field = fieldOf("email", attributes, wording)
  return html`<form action="${safeAddress(action)}" method="post" data-recall>${hiddenFields({ csrfToken, callbackUrl: returnTo })}
${drawField(field, { wording, providerId: provider, extra: { "data-address": "" } })}
<button class="primary">${wording.text("verify.newLink")}</button></form>`
}
