/** A template tag that escapes everything but what it made itself. */

/** Text that is safe to send as HTML. */
export class Html {
  /** @param {string} text */
  constructor(text) {
    this.text = text
  }

  toString() {
    return this.text
  }
}

const entities = /** @type {Record<string, string>} */ ({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
})

/**
 * @param {unknown} value
 * @returns {string}
 */
function render(value) {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(render).join("")
  if (value === undefined || value === null || value === false) return ""
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? "")
}

/**
 * Makes HTML; what is put in is escaped, nothing (`undefined`, `null`, `false`) is left out.
 *
 * @param {TemplateStringsArray} strings
 * @param {...unknown} values
 */
export function html(strings, ...values) {
  return new Html(strings.reduce((text, part, at) => text + part + (at < values.length ? render(values[at]) : ""), ""))
}
