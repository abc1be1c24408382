/** The document every built-in page stands in: head, theme, card. Pages are plain HTML that works without scripts. */
import { type Html, type HtmlValue, html, rawHtml } from "../std/html.js"
import { isUrl } from "../std/url.js"
import type { TextKey, TextNames } from "../texts/texts.js"
import type { Wording } from "../texts/wording.js"
import type { Theme } from "../types/appearance.js"
import { readLogo } from "./image.js"
import { readIncident } from "./incident.js"
import { styleSheet, styleSheetHash } from "./style.js"
import { colorSchemeOf, type InlineText, themeStyle } from "./theme.js"

/** A page as values: the document, and what its Content-Security-Policy has to allow. */
export interface PageParts {
  readonly html: Html
  /** Inline scripts, as `sha256-<base64>` (CSP Level 3 §2.3.1, hash-source without its quotes). */
  readonly scriptHashes: readonly string[]
  /** Inline style elements, likewise. No page has a style attribute. */
  readonly styleHashes: readonly string[]
  /** Ready source expressions for `img-src`; empty: no image is loaded. */
  readonly imageSources: readonly string[]
  /** The language it is in, for `Content-Language`. */
  readonly lang: string
}

/** What every page is given. */
export interface PageView {
  readonly theme: Readonly<Theme>
  /** The language of the page, and its texts. */
  readonly wording: Wording
}

/** What the forms of a page send along. */
export interface FormState {
  /** Absent when the protection is switched off. */
  readonly csrfToken?: string | undefined
  /** Where the person goes afterwards; it travels as `callbackUrl`. */
  readonly returnTo?: string | undefined
}

/** What a page brings to the shell. */
export interface PageContent {
  /** Of the document, and its heading. */
  readonly title: string
  /** What stands below the heading. */
  readonly body: Html
  readonly imageSources?: readonly string[]
  /** Style of this page alone. */
  readonly style?: InlineText | undefined
  readonly scripts?: readonly InlineText[]
}

/** Puts the content of a page into the document. */
export async function layout({ theme, wording }: PageView, content: PageContent): Promise<PageParts> {
  const { title, body, imageSources = [], scripts = [] } = content
  const styles = [await themeStyle(theme), content.style].filter((style) => style !== undefined)
  const logo = readLogo(theme.logo)
  const scheme = colorSchemeOf(theme)
  return {
    html: html`<!doctype html>
<html lang="${wording.lang}"${wording.dir === "rtl" ? html` dir="rtl"` : ""} data-scheme="${scheme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme === "auto" ? "light dark" : scheme}">
<meta name="robots" content="noindex">
<title>${title}</title>
${drawnOnce}
<style>${rawHtml(styleSheet)}</style>
${styles.map(({ text }) => html`<style>${rawHtml(text)}</style>`)}
</head>
<body>
<main class="card">
${logo ? html`<img class="logo" src="${logo.src}" alt="">` : signOf(theme.name, title)}
<h1>${title}</h1>
${body}
</main>
${scripts.map(({ text }) => rawHtml(`<script>${text}</script>`))}
<div id="whole" hidden></div>
</body>
</html>
`,
    scriptHashes: scripts.map(({ hash }) => hash),
    styleHashes: [styleSheetHash, ...styles.map(({ hash }) => hash)],
    imageSources: [...new Set([...(logo ? [logo.source] : []), ...imageSources])],
    lang: wording.lang,
  }
}

// The card stands in the middle, and scripts show what is hidden: a page that is drawn before it is there as a whole, and
// they have run, would move while it is used (HTML §4.6.8.6, "expect").
const drawnOnce: Html = html`<link rel="expect" href="#whole" blocking="render">`

// Colours come from the style sheet, because a page may not carry style attributes.
const keyhole: Html = html`<svg class="keyhole" viewBox="0 0 40 40" aria-hidden="true"><rect width="40" height="40" rx="12"/><path d="M20 10.5a6 6 0 0 0-2.9 11.25L15.5 29.5h9l-1.6-7.75A6 6 0 0 0 20 10.5Z"/></svg>`

/** What stands above the heading without a logo: the name of the application, where the heading does not say it. */
function signOf(name: string | undefined, title: string): Html {
  if (!name) return keyhole
  return title.includes(name) ? html`` : html`<p class="app">${name}</p>`
}

/** A notice that something went wrong, read out by screen readers. */
export function alertBox(
  text: string,
  { incident, wording }: { readonly incident: string | undefined; readonly wording: Wording },
): Html {
  return html`<div class="alert" role="alert"><p>${text}</p>${incidentLine(wording, incident)}</div>`
}

/** The id of this error in the log; shown only when it has exactly the form of one. */
export function incidentLine(wording: Wording, incident: string | undefined): Html {
  const id = readIncident(incident)
  return id === undefined
    ? html``
    : html`<p class="incident">${phrase(wording, "incident", { id: html`<code>${id}</code>` })}</p>`
}

/** A name inside a sentence, isolated so that bidirectional or hidden characters cannot rearrange the words around it. */
export function nameOf(person: string): Html {
  return html`<bdi><strong>${person}</strong></bdi>`
}

/** Fields that carry the state of a form. */
export function stateFields({ csrfToken, returnTo }: FormState): Html {
  return hiddenFields({ csrfToken, callbackUrl: returnTo })
}

/** Fields that travel with a form unseen; those without a value are left out. */
export function hiddenFields(fields: Readonly<Record<string, string | undefined>>): Html {
  const present = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return html`${present.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

/** An address that may stand in a link or form: http(s), or a path of this origin. Anything else becomes the root. */
export function safeAddress(address: string): string {
  if (/^\/(?![/\\])/.test(address)) return address
  return isUrl(address) && /^https?:$/.test(new URL(address).protocol) ? address : "/"
}

/** Puts markup, such as a name in bold, in the place of the names of a text. Both are escaped like everything in a template. */
export function phrase<Key extends TextKey>(
  wording: Wording,
  key: Key,
  values: Readonly<Record<TextNames<Key>, HtmlValue>>,
): Html {
  const given: Readonly<Record<string, HtmlValue>> = values
  return html`${wording.pieces(key).map((piece) => ("text" in piece ? piece.text : given[piece.name]))}`
}
