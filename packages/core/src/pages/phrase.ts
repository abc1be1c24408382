/** A text whose values are markup, such as a name in bold. */
import { type Html, type HtmlValue, html } from "../std/html.js"
import type { TextKey, TextNames } from "../texts/texts.js"
import type { Wording } from "../texts/wording.js"

/** Puts markup in the place of the names of a text. Both are escaped like everything in a template. */
export function phrase<Key extends TextKey>(
  wording: Wording,
  key: Key,
  values: Readonly<Record<TextNames<Key>, HtmlValue>>,
): Html {
  const given: Readonly<Record<string, HtmlValue>> = values
  return html`${wording.pieces(key).map((piece) => ("text" in piece ? piece.text : given[piece.name]))}`
}
