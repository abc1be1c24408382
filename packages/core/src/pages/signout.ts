/** The sign-out page: one question, one button. A link alone never ends a session. */
import { html } from "../std/html.js"
import { hiddenFields, layout, nameOf, type PageParts, type PageView, safeAddress } from "./layout.js"

/** What the sign-out page shows. */
export interface SignoutView extends PageView {
  readonly signoutUrl: string
  /** Absent when the protection is switched off. */
  readonly csrfToken?: string | undefined
  /** Where the person goes afterwards, and where the way back leads; it travels as `callbackUrl`. */
  readonly returnTo?: string | undefined
  /** Who is signed in, where it is known. */
  readonly name?: string | undefined
}

/** What the page shows to a visitor who is not signed in. */
export interface SignedOutView extends PageView {
  readonly homeUrl: string
  readonly signinUrl: string
}

/** The sign-out page. */
export async function signoutPage({ theme, signoutUrl, csrfToken, returnTo, name }: SignoutView): Promise<PageParts> {
  return layout({
    title: "Sign Out",
    theme,
    body: html`<h1>Sign out</h1>
<p class="soft">${name === undefined ? "Do you want to sign out?" : html`You are signed in as ${nameOf(name)}. Do you want to sign out?`}</p>
<form action="${safeAddress(signoutUrl)}" method="post">${hiddenFields({ csrfToken, callbackUrl: returnTo })}<button class="primary" id="submitButton">Sign out</button></form>
<p class="way"><a href="${safeAddress(returnTo ?? "/")}">Stay signed in</a></p>`,
  })
}

/** The same page where no session can be ended. */
export async function signedOutPage({ theme, homeUrl, signinUrl }: SignedOutView): Promise<PageParts> {
  return layout({
    title: "Sign Out",
    theme,
    body: html`<h1>You are not signed in</h1>
<p class="soft">There is nothing to sign out of in this browser.</p>
<a class="primary" href="${safeAddress(signinUrl)}">Sign in</a>
<p class="way"><a href="${safeAddress(homeUrl)}">Back to the site</a></p>`,
  })
}
