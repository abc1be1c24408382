/** The pages of the application, as HTML. */
import { Html, html } from "../html.js"
import { languageSwitch } from "./languages.js"

/**
 * The data of every page.
 *
 * @typedef {{
 *   session: import("@latchkey/core/types").Session | null,
 *   unread: number,
 *   path: string,
 *   language: string | undefined,
 *   importMap: string,
 * }} Visit
 */

/**
 * @param {Visit} visit
 * @param {{ title: string, body: import("../html.js").Html, script?: string }} page
 */
function shell({ session, unread, path, importMap }, { title, body, script }) {
  /** @param {string} to @param {unknown} label */
  const tab = (to, label) => html`<a href="${to}"${path === to ? html` aria-current="page"` : ""}>${label}</a>`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Latchkey demo</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/demo.css">
${
  script
    ? html`<script type="importmap">${new Html(importMap)}</script>
<script type="module" src="${script}"></script>`
    : ""
}
</head>
<body>
<header>
<a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="28" height="28"><span>Latchkey demo</span></a>
<nav aria-label="Pages">
${tab("/", "Home")}
${tab("/protected", "Protected")}
${tab("/account", "Account")}
${tab("/mailbox", html`Mailbox${unread > 0 ? html` <span class="count" aria-label="${unread} unread">${unread}</span>` : ""}`)}
</nav>
<div class="who">${session?.user ? signedIn(session.user) : html`<a class="button" href="/auth/signin?callbackUrl=%2F">Sign in</a>`}</div>
</header>
<main>
${body}
</main>
<footer>Everything here runs on your machine. No outside account, no outside host.</footer>
</body>
</html>`
}

/** @param {import("@latchkey/core/types").User} user */
const signedIn = (user) =>
  html`<span class="name">${nameOf(user)}</span> <a class="button plain" href="/auth/signout?callbackUrl=%2F">Sign out</a>`

/** @param {import("@latchkey/core/types").User} user */
const nameOf = (user) => user.name || user.email || "Somebody without a name"

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
 * @typedef {{ provider: string, label: string, detail: string, providerAccountId: string }} LinkedAccount
 */

/**
 * @param {Visit} visit
 * @param {{
 *   strategy: string,
 *   accounts: readonly LinkedAccount[],
 *   passkeys: readonly import("@latchkey/core/passkeys").PasskeyEntry[],
 *   devices: readonly import("@latchkey/core/sessions").SessionEntry[],
 *   hasPassword: boolean,
 *   notice: { kind: "good" | "bad", text: string } | undefined,
 * }} facts
 */
export function accountPage(visit, { accounts, devices, hasPassword, notice, passkeys, strategy }) {
  const user = visit.session?.user
  const isLinked = accounts.some(({ provider }) => provider === "demo-op")
  return shell(visit, {
    title: "Account",
    script: "/assets/passkeys.js",
    body: html`<section class="hero"><h1>Your account</h1></section>
${notice ? html`<p class="notice ${notice.kind}" role="${notice.kind === "bad" ? "alert" : "status"}">${notice.text}</p>` : ""}
<section class="card" aria-labelledby="accounts">
<h2 id="accounts">Ways you sign in</h2>
<ul class="rows" data-list="accounts">
${hasPassword ? html`<li><span><strong>Password</strong><small>${user?.email}</small></span></li>` : ""}
${accounts.map(
  ({
    detail,
    label,
    provider,
    providerAccountId,
  }) => html`<li class="split"><span><strong>${label}</strong><small>${detail}</small></span>
<form method="post" action="/account/unlink"><input type="hidden" name="provider" value="${provider}"><input type="hidden" name="account" value="${providerAccountId}"><button class="button plain small" aria-label="Unlink ${label}">Unlink</button></form></li>`,
)}
${hasPassword || accounts.length > 0 ? "" : html`<li><small>None is linked.</small></li>`}
</ul>
${
  isLinked
    ? ""
    : html`<form method="post" action="/account/link"><button class="button">Link Demo Identity</button></form>
<p class="hint">You go to the provider and come back: the account there then opens this one.</p>`
}
</section>
<section class="card" aria-labelledby="passkeys">
<h2 id="passkeys">Passkeys</h2>
<ul class="rows" data-list="passkeys">
${passkeys.map(
  ({ id, isSynced, keptBy, name, usedAt }) =>
    html`<li><span><strong>${name ?? keptBy ?? `Passkey ${id.slice(0, 8)}`}</strong><small>${isSynced ? "synced between devices" : "on one device"}${usedAt ? `, last used ${minute(usedAt)}` : ""}</small></span></li>`,
)}
${passkeys.length > 0 ? "" : html`<li><small>You have none yet.</small></li>`}
</ul>
<noscript><p class="hint">Passkeys need JavaScript.</p></noscript>
<button class="button" type="button" id="add-passkey" hidden>Add a passkey</button>
<p><a href="/auth/passkeys?callbackUrl=%2Faccount">Manage your passkeys</a></p>
<p class="notice" id="passkey-notice" role="status" hidden></p>
</section>
<section class="card" aria-labelledby="devices">
<h2 id="devices">Your devices</h2>
<p>Every browser that is signed in to this account. One that is signed out here opens nothing any more.</p>
<ul class="rows" data-list="devices">
${devices.map(deviceRow)}
</ul>
${
  devices.length > 1
    ? html`<form method="post" action="/account/devices"><input type="hidden" name="end" value="others"><button class="button plain">Sign out all other devices</button></form>`
    : ""
}
</section>
<section class="card" aria-labelledby="session">
<h2 id="session">Session</h2>
<p>What <code>getSession(req, res, auth)</code> gives the application. Strategy: <strong>${strategy}</strong>.</p>
<pre class="code" tabindex="0">${JSON.stringify(visit.session, null, 2)}</pre>
</section>`,
  })
}

/** Ways of signing in, as people call them. */
const wayNames = /** @type {Readonly<Record<string, string>>} */ ({
  "demo-op": "Demo Identity",
  nodemailer: "an e-mail link",
  credentials: "the password",
  passkey: "a passkey",
})

/** @param {import("@latchkey/core/sessions").SessionEntry} entry */
function deviceRow({ client, current, id, seenAt, startedAt, via }) {
  const name = browserName(client["userAgent"] ?? "")
  const when = `since ${minute(startedAt)}, last seen ${minute(seenAt)}${via ? `, with ${wayNames[via.provider] ?? via.provider}` : ""}`
  const about = html`<span><strong>${name}</strong><small>${when}${current ? " (this device)" : ""}</small></span>`
  if (current) return html`<li>${about}</li>`
  return html`<li class="split">${about}
<form method="post" action="/account/devices"><input type="hidden" name="end" value="${id}"><button class="button plain small" aria-label="Sign out ${name}">Sign out</button></form></li>`
}

/**
 * A name that people know their browser by: the header names every browser that it descends from as well.
 * @param {string} userAgent
 */
function browserName(userAgent) {
  const browser = ["Edg", "OPR", "Firefox", "Chrome", "Safari"].find((name) => userAgent.includes(`${name}/`))
  const system = ["iPhone", "iPad", "Android", "Windows", "Mac OS X", "Linux"].find((name) => userAgent.includes(name))
  /** @type {Readonly<Record<string, string>>} */
  const known = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS" }
  const words = [browser, system].filter((word) => word !== undefined).map((word) => known[word] ?? word)
  return words.join(" on ") || "Unknown browser"
}

/** @param {Date} date */
const minute = (date) => `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`

/**
 * @param {Visit} visit
 */
export const checkMailPage = (visit) =>
  shell(visit, {
    title: "Check your mail",
    body: html`<section class="hero"><h1>Check your mail</h1>
<p>A sign-in link is on its way. This demo has a mail server and a mailbox of its own.</p>
<p><a class="button" href="/mailbox">Open the mailbox</a></p></section>`,
  })

/**
 * @param {Visit} visit
 * @param {readonly import("../mail/mailbox.js").Mail[]} mails
 */
export const mailboxPage = (visit, mails) =>
  shell(visit, {
    title: "Mailbox",
    body: html`<section class="hero"><h1>Mailbox</h1>
<p>Every mail that this demo sends ends up here, whoever it is for.</p></section>
<section class="card">
<ul class="rows" data-list="mails">
${mails.map(
  (
    mail,
  ) => html`<li class="${mail.isRead ? "" : "unread"}"><a href="/mailbox/${mail.id}"><strong>${mail.subject}</strong>
<small>to ${mail.to} · <time datetime="${mail.at.toISOString()}">${clock(mail.at)}</time>${mail.isRead ? "" : " · new"}</small></a></li>`,
)}
${mails.length > 0 ? "" : html`<li><small>No mail yet. Ask for a sign-in link, then come back.</small></li>`}
</ul>
<p><a class="button plain" href="/mailbox">Refresh</a></p>
</section>`,
  })

/**
 * @param {Visit} visit
 * @param {import("../mail/mailbox.js").Mail} mail
 */
export const mailPage = (visit, mail) =>
  shell(visit, {
    title: mail.subject,
    body: html`<p><a href="/mailbox">← Mailbox</a></p>
<section class="card mail">
<h1>${mail.subject}</h1>
<p class="hint">from ${mail.from} to <strong>${mail.to}</strong> at <time datetime="${mail.at.toISOString()}">${clock(mail.at)}</time></p>
${
  mail.html === undefined
    ? html`<div class="plain">${linked(mail.text)}</div>`
    : html`<iframe title="The mail" src="/mailbox/${mail.id}/content" sandbox="allow-top-navigation-by-user-activation allow-popups allow-popups-to-escape-sandbox"></iframe>
<details><summary>As plain text</summary><div class="plain">${linked(mail.text)}</div></details>`
}
</section>`,
  })

/**
 * @param {Visit} visit
 * @param {{ title: string, text: string }} notice
 */
export const noticePage = (visit, { title, text }) =>
  shell(visit, { title, body: html`<section class="hero"><h1>${title}</h1><p>${text}</p></section>` })

/** @param {Date} date */
const clock = (date) => date.toTimeString().slice(0, 8)

/** Text with its web addresses as links. @param {string} text */
const linked = (text) =>
  text
    .trim()
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, at) => (at % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))
