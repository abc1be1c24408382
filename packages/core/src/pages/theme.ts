/** The theme as style, without values that are no colour or scheme; and the hashes by which the policy allows inline text. */

import { sha256 } from "../crypto/token.js"
import { toBase64 } from "../std/bytes.js"
import type { Theme } from "../types/appearance.js"

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

/** Corners of buttons and fields, and of the card. The style sheet has those of `medium`. */
const radii: Readonly<Record<string, string>> = {
  none: "--round:0;--card-round:0",
  small: "--round:.375rem;--card-round:.75rem",
  large: "--round:1rem;--card-round:1.75rem",
  full: "--round:2rem;--card-round:2rem",
}

/** Families that systems bring, the first that is there. */
const fonts: Readonly<Record<string, string>> = {
  rounded: 'ui-rounded,"SF Pro Rounded",var(--font)',
  humanist: '"Gill Sans Nova",Ubuntu,Calibri,"DejaVu Sans",var(--font)',
  serif: 'ui-serif,"Iowan Old Style",Charter,Georgia,Cambria,"Noto Serif","Liberation Serif",serif',
  mono: 'ui-monospace,"SF Mono",Menlo,Consolas,"Noto Sans Mono","Liberation Mono",monospace',
}

/**
 * What the theme says, as a style element of its own, so that the style sheet stays one string with one hash;
 * `undefined` when there is nothing to say.
 */
export async function themeStyle({
  brandColor,
  buttonText,
  radius,
  font,
}: Readonly<Theme>): Promise<InlineText | undefined> {
  const brand = plainColour(brandColor)
  const onBrand = plainColour(buttonText)
  const family = memberOf(fonts, font)
  const declarations = [brand && `--brand:${brand}`, onBrand && `--on-brand:${onBrand}`, memberOf(radii, radius)]
  const root = declarations.filter(Boolean).join(";")
  const rules = [root && `:root{${root}}`, family && `body{font-family:${family}}`].filter(Boolean).join("")
  return rules === "" ? undefined : inlineText(rules)
}

function memberOf(table: Readonly<Record<string, string>>, name: unknown): string | undefined {
  return typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined
}

/** Text of an inline element and its hash: a hash-source without its quotes (CSP Level 3 §2.3.1), `sha256-<base64>`. */
export interface InlineText {
  readonly text: string
  readonly hash: string
}

/** Hashes the content of an inline element for the Content-Security-Policy. */
export async function inlineText(text: string): Promise<InlineText> {
  return { text, hash: `sha256-${toBase64(await sha256(text))}` }
}

const names: ReadonlySet<string> = new Set(
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
  cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
  darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
  darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
  firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
  hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
  lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
  lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
  mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
  midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
  palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
  rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
  slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white
  whitesmoke yellow yellowgreen`.split(/\s+/),
)

/** Says whether a string is the name of a CSS colour, ignoring case. */
function isColourName(text: string): boolean {
  return names.has(text.toLowerCase())
}
