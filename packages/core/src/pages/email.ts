/** The two pages of a sign-in by e-mail: after a link was asked for, and behind a link that must not sign in by being opened. */
import { type Html, html } from "../std/html.js"
import type { Wording } from "../texts/wording.js"
import {
  type FormState,
  layout,
  nameOf,
  type PageParts,
  type PageView,
  phrase,
  safeAddress,
  stateFields,
} from "./layout.js"
import type { InlineText } from "./theme.js"

/** What the page shows. */
export interface VerifyRequestView extends PageView {
  readonly homeUrl: string
  readonly signinUrl: string
  /** Asks for another link; absent where the page does not know who sends it. */
  readonly again?: LinkForm | undefined
  /** The generated script: it knows the address, which the page is not sent. */
  readonly formScript?: InlineText | undefined
}

/** The form that asks for a link. */
export interface LinkForm extends FormState {
  readonly action: string
}

/** Seconds until a mail can be asked for again: as long as mails usually take. */
const secondsBetweenMails = 30

/** The page that sends a person to their mailbox. The address is in no link and no cookie: the browser's tab knows it. */
export async function verifyRequestPage(view: VerifyRequestView): Promise<PageParts> {
  const { wording, homeUrl, signinUrl, again, formScript } = view
  return layout(view, {
    title: wording.text("verify.heading"),
    body: html`<p class="soft" data-without-address>${wording.text("verify.text")}</p>
<p class="soft" data-with-address hidden>${phrase(wording, "verify.textTo", { email: html`<bdi><strong data-says-address></strong></bdi>` })}</p>
${again ? againForm(again, wording) : ""}
<p class="way"><a href="${safeAddress(signinUrl)}">${wording.text("verify.otherAddress")}</a></p>
<p class="way"><a href="${safeAddress(homeUrl)}">${wording.text("action.backToSite")}</a></p>`,
    scripts: formScript ? [formScript] : [],
  })
}

function againForm(form: LinkForm, wording: Wording): Html {
  return html`<form action="${safeAddress(form.action)}" method="post" data-with-address hidden>${stateFields(form)}<input type="hidden" name="email" data-address><button class="provider plain" data-wait="${countdown(wording)}">${wording.text("verify.again")}</button><p class="status"></p></form>`
}

/** The text for each number of seconds that is left, none first: the script of the page knows no plural forms. */
function countdown(wording: Wording): string {
  const seconds = Array.from({ length: secondsBetweenMails }, (_, index) => index + 1)
  return JSON.stringify(["", ...seconds.map((count) => wording.text("verify.againIn", { count }))])
}

/** What the page shows. */
export interface ConfirmView extends PageView, Pick<FormState, "csrfToken"> {
  /** The address the link belongs to; without it, the page says only what its button does. */
  readonly email: string | undefined
  /** The link itself, query included; the button posts to it. */
  readonly action: string
}

/** The page behind a link of a mail: its button signs in, so that opening the link alone does not. */
export async function confirmPage(view: ConfirmView): Promise<PageParts> {
  const { wording, email, action, csrfToken } = view
  return layout(view, {
    title: wording.text("confirm.heading"),
    body: html`${email === undefined ? "" : html`<p class="soft">${phrase(wording, "confirm.text", { name: nameOf(email) })}</p>`}
<form action="${safeAddress(action)}" method="post">${stateFields({ csrfToken })}<button class="primary">${wording.text("action.signIn")}</button></form>`,
  })
}
