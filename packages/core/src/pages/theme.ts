/** The theme as far as it can be believed: a value that is not plainly a colour or a scheme is as if it were not there. */
import type { Theme } from "../types/appearance.js"
import { isColourName } from "./colour-names.js"
import { type InlineText, inlineText } from "./inline.js"

const hex = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
// Without inner brackets there is no url() and no var(); without ; } < there is no way out of the declaration.
const notation = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([-+0-9a-z.,%/ ]{1,80}\)$/i

/** A colour in one of the notations of CSS Color 4, or `undefined`. */
export function plainColour(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined
  const text = value.trim()
  return hex.test(text) || notation.test(text) || isColourName(text) ? text : undefined
}

/** The scheme the page is drawn in. */
export function colorSchemeOf({ colorScheme }: Readonly<Theme>): "auto" | "dark" | "light" {
  return colorScheme === "dark" || colorScheme === "light" ? colorScheme : "auto"
}

/**
 * The theme's colours as a style element of its own, so that the style sheet stays one string with one hash;
 * `undefined` when there is nothing to say.
 */
export async function themeStyle({ brandColor, buttonText }: Readonly<Theme>): Promise<InlineText | undefined> {
  const brand = plainColour(brandColor)
  const onBrand = plainColour(buttonText)
  if (brand === undefined && onBrand === undefined) return undefined
  const declarations = [brand && `--brand:${brand}`, onBrand && `--on-brand:${onBrand}`].filter(Boolean)
  return inlineText(`:root{${declarations.join(";")}}`)
}
