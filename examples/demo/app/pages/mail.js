/** The mailbox, a mail, and what is shown after a link was asked for. */
import { html } from "../../html.js"
import { shell } from "./shell.js"

/** @typedef {import("./shell.js").Visit} Visit */

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
 * @param {readonly import("../../mail/mailbox.js").Mail[]} mails
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
 * @param {import("../../mail/mailbox.js").Mail} mail
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

/** @param {Date} date */
const clock = (date) => date.toTimeString().slice(0, 8)

/** Text with its web addresses as links. @param {string} text */
const linked = (text) =>
  text
    .trim()
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, at) => (at % 2 === 1 ? html`<a href="${part}">${part}</a>` : part))
