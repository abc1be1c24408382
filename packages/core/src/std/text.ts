/** Text from outside, made safe to print: cut, quoted, on one line, without control characters. */

/** Characters of a name from outside that a message repeats. */
const nameLimit = 64

/** A text of at most `limit` characters; an ellipsis stands for what was cut off. */
export function cutTo(limit: number, text: string): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text
}

/** A name that came from outside, for a message: in quotes, on one line, short. */
export function quoted(name: string, limit: number = nameLimit): string {
  return `"${printable(cutTo(limit, name)).replace(/["\n]/g, (character) => (character === "\n" ? "\\n" : '\\"'))}"`
}

/**
 * Control characters repaint a terminal, and marks of direction make a line read otherwise than it is written: both are
 * shown as their codes. Line ends stay.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, shown)
}

/** The same on one line. */
export function onOneLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n")
}

function shown(character: string): string {
  if (character === "\t") return character
  const code = character.charCodeAt(0).toString(16)
  return code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`
}
