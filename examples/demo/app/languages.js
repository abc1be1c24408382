/** The language of the service's pages and mails: as the browser prefers, unless the person chooses one. */
import { html } from "../html.js"

const cookieName = "demo-language"

const tags = "en de fr es it pt nl pl tr ar hi zh ja ko uk".split(" ")

/**
 * The language that was chosen; `undefined` leaves it to the browser.
 *
 * @param {string | null | undefined} cookies what the request says of cookies
 */
export function chosenLanguage(cookies) {
  const found = /(?:^|; )demo-language=([a-z]{2})(?:;|$)/.exec(cookies ?? "")?.[1]
  return tags.find((tag) => tag === found)
}

/**
 * Keeps the choice for this browser; anything that is no language takes it back.
 *
 * @param {import("express").Response} response
 * @param {unknown} choice
 */
export function keepLanguage(response, choice) {
  const tag = tags.find((one) => one === choice)
  const options = { path: "/", httpOnly: true, sameSite: /** @type {const} */ ("lax") }
  if (tag) response.cookie(cookieName, tag, { ...options, maxAge: 365 * 24 * 60 * 60 * 1000 })
  else response.clearCookie(cookieName, options)
}

/** The switch on the home page. @param {string | undefined} chosen */
export const languageSwitch = (chosen) => html`<form class="languages" method="post" action="/language">
<label for="language">Language of the sign-in pages and mails</label>
<span><select id="language" name="language" autocomplete="off"><option value="">As your browser prefers</option>
${tags.map((tag) => html`<option value="${tag}" lang="${tag}"${tag === chosen ? html` selected` : ""}>${nameOf(tag)}</option>`)}</select>
<button class="button plain small">Use it</button></span>
</form>`

/** Its name in itself. @param {string} tag */
const nameOf = (tag) => new Intl.DisplayNames([tag], { type: "language" }).of(tag)
