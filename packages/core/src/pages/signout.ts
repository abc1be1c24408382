/** The sign-out page: one question, one button. A link alone never ends a session. */
import { html } from "../std/html.js"
import { hiddenFields, layout, type PageParts, type PageView, safeAddress } from "./layout.js"

/** What the sign-out page shows. */
export interface SignoutView extends PageView {
  readonly signoutUrl: string
  /** Absent when the protection is switched off. */
  readonly csrfToken?: string | undefined
  /** Where the person goes afterwards, and where the way back leads; it travels as `callbackUrl`. */
  readonly returnTo?: string | undefined
}

/** The sign-out page. */
export async function signoutPage({ theme, signoutUrl, csrfToken, returnTo }: SignoutView): Promise<PageParts> {
  return layout({
    title: "Sign Out",
    theme,
    body: html`<h1>Sign out</h1>
<p class="soft">Do you want to sign out?</p>
<form action="${safeAddress(signoutUrl)}" method="post">${hiddenFields({ csrfToken, callbackUrl: returnTo })}<button class="primary" id="submitButton">Sign out</button></form>
<p class="way"><a href="${safeAddress(returnTo ?? "/")}">Stay signed in</a></p>`,
  })
}
