/** The pages of the identity provider: choose a person, and what went wrong. */
import { html } from "../html.js"
import { people } from "./people.js"

/** @param {{ title: string, body: import("../html.js").Html }} page */
const shell = ({ title, body }) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/identity.css">
</head>
<body>
<main>
<p class="brand"><img src="/icon.svg" alt="" width="28" height="28">Demo Identity</p>
${body}
</main>
<footer>An OpenID provider of its own, with its own address and its own cookies.</footer>
</body>
</html>`.text

/** @param {string} host */
export const choosePage = (host) =>
  shell({
    title: "Choose an account · Demo Identity",
    body: html`<h1>Choose an account</h1>
<p class="quiet">to go on to <strong>${host}</strong></p>
<form method="post">
${people.map(
  (person) => html`<button class="person" name="person" value="${person.sub}">
<span class="face" aria-hidden="true">${person.given_name.charAt(0)}${person.family_name.charAt(0)}</span>
<span><strong>${person.name}</strong><small>${person.email}</small><small>${person.note}</small></span>
</button>`,
)}
<button class="cancel" name="person" value="cancel">Cancel</button>
</form>`,
  })

/** @param {{ title: string, text: string }} view */
export const noticePage = ({ title, text }) =>
  shell({ title: `${title} · Demo Identity`, body: html`<h1>${title}</h1><p class="quiet">${text}</p>` })
