/** The sign-out page: one question, one button. A link alone never ends a session. */
import { html } from "../std/html.js"
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

/** What the sign-out page shows. Its way back leads where the person goes afterwards. */
export interface SignoutView extends PageView, FormState {
  readonly signoutUrl: string
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
  const { wording, signoutUrl, returnTo, name } = view
  const question =
    name === undefined
      ? wording.text("signout.question")
      : phrase(wording, "signout.questionNamed", { name: nameOf(name) })
  return layout(view, {
    title: wording.text("signout.heading"),
    body: html`<p class="soft">${question}</p>
<form action="${safeAddress(signoutUrl)}" method="post">${stateFields(view)}<button class="primary" id="submitButton">${wording.text("action.signOut")}</button></form>
<p class="way"><a href="${safeAddress(returnTo ?? "/")}">${wording.text("signout.stay")}</a></p>`,
  })
}

/** The same page where no session can be ended. */
export async function signedOutPage(view: SignedOutView): Promise<PageParts> {
  const { wording, homeUrl, signinUrl } = view
  return layout(view, {
    title: wording.text("signout.nobody"),
    body: html`<p class="soft">${wording.text("signout.nothing")}</p>
<a class="primary" href="${safeAddress(signinUrl)}">${wording.text("action.signIn")}</a>
<p class="way"><a href="${safeAddress(homeUrl)}">${wording.text("action.backToSite")}</a></p>`,
  })
}
