/** The sign-out page: one question, one button. A link alone never ends a session. */
import { html } from "../std/html.js"
import { hiddenFields, layout, nameOf, type PageParts, type PageView, safeAddress } from "./layout.js"
import { phrase } from "./phrase.js"

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
export async function signoutPage(view: SignoutView): Promise<PageParts> {
  const { theme, wording, signoutUrl, csrfToken, returnTo, name } = view
  const question =
    name === undefined
      ? wording.text("signout.question")
      : phrase(wording, "signout.questionNamed", { name: nameOf(name) })
  return layout({
    title: wording.text("signout.heading"),
    theme,
    wording,
    body: html`<h1>${wording.text("signout.heading")}</h1>
<p class="soft">${question}</p>
<form action="${safeAddress(signoutUrl)}" method="post">${hiddenFields({ csrfToken, callbackUrl: returnTo })}<button class="primary" id="submitButton">${wording.text("action.signOut")}</button></form>
<p class="way"><a href="${safeAddress(returnTo ?? "/")}">${wording.text("signout.stay")}</a></p>`,
  })
}

/** The same page where no session can be ended. */
export async function signedOutPage({ theme, wording, homeUrl, signinUrl }: SignedOutView): Promise<PageParts> {
  return layout({
    title: wording.text("signout.nobody"),
    theme,
    wording,
    body: html`<h1>${wording.text("signout.nobody")}</h1>
<p class="soft">${wording.text("signout.nothing")}</p>
<a class="primary" href="${safeAddress(signinUrl)}">${wording.text("action.signIn")}</a>
<p class="way"><a href="${safeAddress(homeUrl)}">${wording.text("action.backToSite")}</a></p>`,
  })
}
