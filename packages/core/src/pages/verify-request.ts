/** The page after an e-mail link was asked for. It says the same for every address. */
import { html } from "../std/html.js"
import { layout, type PageParts, type PageView, safeAddress } from "./layout.js"

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
