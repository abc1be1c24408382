/** The page behind an e-mail link that must not sign in by being opened: one button posts it. */
import { html } from "../std/html.js"
import { hiddenFields, layout, nameOf, type PageParts, type PageView, safeAddress } from "./layout.js"

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
