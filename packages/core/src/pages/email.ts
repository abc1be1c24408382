/** The two pages of a sign-in by e-mail: after a link was asked for, and behind a link that must not sign in by being opened. */
import { html } from "../std/html.js"
import { hiddenFields, layout, nameOf, type PageParts, type PageView, safeAddress } from "./layout.js"

/** What the page shows. */
export interface VerifyRequestView extends PageView {
  readonly homeUrl: string
}

/** The page that sends a person to their mailbox. */
export async function verifyRequestPage({ theme, homeUrl }: VerifyRequestView): Promise<PageParts> {
  return layout({
    title: "Verify Request",
    theme,
    body: html`<h1>Check your email</h1>
<p class="soft">A sign-in link is on its way to you. It works once; if it does not arrive, check your spam folder.</p>
<p class="way"><a href="${safeAddress(homeUrl)}">Back to the site</a></p>`,
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
export async function confirmPage({ theme, email, action, csrfToken }: ConfirmView): Promise<PageParts> {
  return layout({
    title: "Sign In",
    theme,
    body: html`<h1>Confirm it is you</h1>
<p class="soft">You are about to sign in as ${nameOf(email)}. If you did not ask for this, close the page.</p>
<form action="${safeAddress(action)}" method="post">${hiddenFields({ csrfToken })}<button class="primary">Sign in</button></form>`,
  })
}
