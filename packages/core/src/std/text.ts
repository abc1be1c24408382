/** Text from outside: does it hold control characters, and how it is made safe to print. */

/** Characters of a name from outside that a message repeats. */
const nameLimit = 64

/** Does the text hold a control character of ASCII: U+0000 to U+001F, or U+007F? */
export function hasControlCharacters(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

/** A text of at most `limit` characters; an ellipsis stands for what was cut off. */
export function cutTo(limit: number, text: string): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text
}

/** A name that came from outside, for a message: in quotes, on one line, short. */
export function quoted(name: string, limit: number = nameLimit): string {
  return `"${printable(cutTo(limit, name)).replace(/["\n]/g, (character) => (character === "\n" ? "\\n" : '\\"'))}"`
}

/**
 * Control characters repaint a terminal, and direction marks make a line read differently from how it is written: both are
 * shown as their codes. Line ends stay.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu, shown)
}

/** The same on one line. */
export function onOneLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n")
}

function shown(character: string): string {
  if (character === "\t" || character === "\n") return character
  const code = character.charCodeAt(0).toString(16)
  return code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`
}
