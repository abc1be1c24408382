/** The account of a person: ways of signing in, passkeys, devices, the session. */
import { html } from "../../html.js"
import { shell } from "./shell.js"

/** @typedef {import("./shell.js").Visit} Visit */

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
