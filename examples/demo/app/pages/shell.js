/** What every page of the application has around it. */
import { Html, html } from "../../html.js"

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
 * @param {{ title: string, body: import("../../html.js").Html, script?: string }} page
 */
export function shell({ session, unread, path, importMap }, { title, body, script }) {
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
export const nameOf = (user) => user.name || user.email || "Somebody without a name"
