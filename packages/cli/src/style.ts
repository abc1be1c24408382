/** Colours and layout of what is printed: colours for people at a terminal, plain text for files. */

/** What a piece of text is. */
export type Tone = "good" | "bad" | "caution" | "quiet" | "strong"

/** Select Graphic Rendition (ECMA-48 8.3.117): what begins and what ends each. */
const codes = { good: [32, 39], bad: [31, 39], caution: [33, 39], quiet: [90, 39], strong: [1, 22] } as const

/** Draws a piece of text. */
export type Paint = (tone: Tone, text: string) => string

/** A painter; without colours it leaves texts as they are. */
export function painter(isColoured: boolean): Paint {
  if (!isColoured) return (_tone, text) => text
  return (tone, text) => `\u001b[${codes[tone][0]}m${text}\u001b[${codes[tone][1]}m`
}

/** Breaks a text at spaces so that no line is longer than the width; all lines but the first are indented. */
export function wrapped(text: string, indent = 0, width = 100): string {
  const lines: string[] = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length + 1 <= width - indent)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.join(`\n${" ".repeat(indent)}`)
}
