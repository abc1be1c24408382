/** The home page, the protected page, and a page with a notice. */
import { html } from "../../html.js"
import { languageSwitch } from "../languages.js"
import { nameOf, shell } from "./shell.js"

/** @typedef {import("./shell.js").Visit} Visit */

/**
 * @param {Visit} visit
 * @param {{ password: { email: string, password: string }, identityHost: string, strategy: string }} facts
 */
export function homePage(visit, facts) {
  return visit.session?.user ? homeSignedIn(visit, visit.session.user, facts) : homeSignedOut(visit, facts)
}

/**
 * @param {Visit} visit
 * @param {{ password: { email: string, password: string }, identityHost: string }} facts
 */
function homeSignedOut(visit, { password, identityHost }) {
  return shell(visit, {
    title: "Home",
    body: html`<section class="hero">
<h1>Every way of signing in</h1>
<p>There are four. Use one, come back here, and see who is signed in.</p>
</section>
<section class="ways" aria-label="Ways of signing in">
<article class="card">
<h2>Identity provider</h2>
<p>A real OpenID provider runs at <code>${identityHost}</code>. Two people have an account there: Ada Byron and Grace Hopper.</p>
<a class="button" href="/auth/signin/demo-op?callbackUrl=%2F">Use Demo Identity</a>
</article>
<article class="card">
<h2>E-mail link</h2>
<p>Type any address. The mail arrives in the <a href="/mailbox">mailbox</a> of this demo, and its link signs you in.</p>
<a class="button" href="/auth/signin/nodemailer?callbackUrl=%2F">Use an e-mail link</a>
</article>
<article class="card">
<h2>Password</h2>
<p>One person has a password. It is stored as a hash, so this page is the only place to look it up.</p>
<dl class="pair"><dt>Email</dt><dd><code>${password.email}</code></dd><dt>Password</dt><dd><code>${password.password}</code></dd></dl>
<a class="button" href="/auth/signin/credentials?callbackUrl=%2F">Use the password</a>
</article>
<article class="card">
<h2>Passkey</h2>
<p>Sign in another way and add one on the account page, or begin with one: type an address and press “Create a passkey”.</p>
<a class="button" href="/auth/signin/passkey?callbackUrl=%2F">Use a passkey</a>
</article>
</section>
<p class="hint">Or try to open the <a href="/protected">protected page</a>: you are asked to sign in and brought back to it.</p>
${languageSwitch(visit.language)}`,
  })
}

/**
 * @param {Visit} visit
 * @param {import("@latchkey/core/types").User} user
 * @param {{ strategy: string }} facts
 */
function homeSignedIn(visit, user, { strategy }) {
  return shell(visit, {
    title: "Home",
    body: html`<section class="hero">
<h1>Hello, ${nameOf(user)}</h1>
<p>You are signed in${user.email ? html` as <strong>${user.email}</strong>` : ""}. Your session is kept ${
      strategy === "database" ? "as a row in the database" : "in an encrypted token"
    }.</p>
</section>
<section class="ways" aria-label="What to do next">
<article class="card"><h2>Your account</h2><p>See your session, link another way of signing in, add a passkey.</p><a class="button" href="/account">Open the account page</a></article>
<article class="card"><h2>Protected page</h2><p>Only for people who are signed in. That is you.</p><a class="button" href="/protected">Open the protected page</a></article>
</section>`,
  })
}

/** @param {Visit} visit */
export function protectedPage(visit) {
  const user = visit.session?.user
  return shell(visit, {
    title: "Protected",
    body: html`<section class="hero"><h1>Behind the door</h1>
<p>Only people who are signed in see this page${user ? html`, and you are: <strong>${nameOf(user)}</strong>` : ""}.</p></section>`,
  })
}

/**
 * @param {Visit} visit
 * @param {{ title: string, text: string }} notice
 */
export const noticePage = (visit, { title, text }) =>
  shell(visit, { title, body: html`<section class="hero"><h1>${title}</h1><p>${text}</p></section>` })
