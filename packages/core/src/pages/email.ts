/** The two pages of a sign-in by e-mail: after a link was asked for, and behind a link that must not sign in by being opened. */
import { html } from "../std/html.js"
import { hiddenFields, layout, nameOf, type PageParts, type PageView, safeAddress } from "./layout.js"
import { phrase } from "./phrase.js"

/** What the page shows. */
export interface VerifyRequestView extends PageView {
  readonly homeUrl: string
}

/** The page that sends a person to their mailbox. */
export async function verifyRequestPage({ theme, wording, homeUrl }: VerifyRequestView): Promise<PageParts> {
  return layout({
    title: wording.text("verify.title"),
    theme,
    wording,
    body: html`<h1>${wording.text("verify.heading")}</h1>
<p class="soft">${wording.text("verify.text")}</p>
<p class="way"><a href="${safeAddress(homeUrl)}">${wording.text("action.backToSite")}</a></p>`,
  })
}

/** What the page shows. */
export interface ConfirmView extends PageView {
  /** The address the link belongs to. */
  readonly email: string
  /** The link itself, query included; the button posts to it. */
  readonly action: string
  /** Absent when the protection is switched off. */
  readonly csrfToken?: string | undefined
}

/** The page that asks whether it was you. */
export async function confirmPage({ theme, wording, email, action, csrfToken }: ConfirmView): Promise<PageParts> {
  return layout({
    title: wording.text("confirm.title"),
    theme,
    wording,
    body: html`<h1>${wording.text("confirm.heading")}</h1>
<p class="soft">${phrase(wording, "confirm.text", { name: nameOf(email) })}</p>
<form action="${safeAddress(action)}" method="post">${hiddenFields({ csrfToken })}<button class="primary">${wording.text("action.signIn")}</button></form>`,
  })
}
