/** HTML as a value that only this file can make: a template that escapes whatever is not such a value already. */

class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  static textOf(markup: Markup): string {
    return markup.#text
  }
}

/** A piece of HTML. Made by {@link html} and {@link rawHtml} alone. */
export type Html = Markup

/** What may stand in a template: HTML as it is, text and numbers escaped, booleans and nothing as nothing, lists one after the other. */
export type HtmlValue = Html | string | number | boolean | null | undefined | readonly HtmlValue[]

const special = /[&<>"']/g
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

/** Makes HTML. Attribute values belong in quotes: escaping makes a value safe there and between tags, nowhere else. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? ""
  for (let index = 0; index < values.length; index++) text += textOf(values[index]) + (strings[index + 1] ?? "")
  return new Markup(text)
}

/** DANGER: takes text as HTML. Only for style sheets and scripts that were generated here. */
export function rawHtml(trustedText: string): Html {
  return new Markup(trustedText)
}

/** The text of a piece of HTML. */
export function renderHtml(markup: Html): string {
  return Markup.textOf(markup)
}

function textOf(value: HtmlValue): string {
  if (value instanceof Markup) return Markup.textOf(value)
  if (typeof value === "string") return escapeText(value)
  if (typeof value === "number") return String(value)
  if (Array.isArray(value)) return value.map(textOf).join("")
  if (value === null || value === undefined || typeof value === "boolean") return ""
  // What the types forbid may still come from an application written without them.
  return escapeText(String(value))
}

function escapeText(text: string): string {
  return text.replace(special, (character) => entities[character] ?? "")
}
