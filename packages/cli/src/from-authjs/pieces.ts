/** Strings and comments of a source, each found in time that grows with the text alone. */

/** What a piece is. */
export type Kind = "comment" | "template" | "string"

interface Piece {
  readonly kind: Kind
  readonly from: number
  /** Behind its end. */
  readonly to: number
}

const beginnings = /["'`]|\/[/*]|<!--/g
const ends: Readonly<Record<string, string>> = { "/*": "*/", "<!--": "-->" }

/** Where a string ends, or that it does not. One ends with its line, so that an apostrophe in markup hides nothing. */
function endOfString(text: string, from: number): { readonly to: number; readonly isClosed: boolean } {
  const quote = text[from]
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === quote) return { to: at + 1, isClosed: true }
    if (text[at] === "\\") at += 1
    if (text[at] === "\n" && quote !== "`") return { to: at, isClosed: false }
  }
  return { to: text.length, isClosed: false }
}

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  /** For each beginning, up to where it is known to have no end: nothing is looked for twice. */
  const open = new Map<string, number>()
  const add = (kind: Kind, from: number, to: number): void => {
    pieces.push({ kind, from, to })
    beginnings.lastIndex = to
  }
  beginnings.lastIndex = 0
  for (let match = beginnings.exec(text); match !== null; match = beginnings.exec(text)) {
    const [begin] = match
    const from = match.index
    if (from < (open.get(begin) ?? 0)) continue
    const end = begin === "//" ? "\n" : ends[begin]
    if (end === undefined) {
      const { to, isClosed } = endOfString(text, from)
      if (isClosed) add(begin === "`" ? "template" : "string", from, to)
      else open.set(begin, to)
      continue
    }
    const at = text.indexOf(end, from + begin.length)
    if (begin === "//") add("comment", from, at < 0 ? text.length : at)
    else if (at < 0) open.set(begin, text.length)
    else add("comment", from, at + end.length)
  }
  return pieces
}

/** The text with spaces in place of pieces of some kinds; lines stay as they are. */
export function blanked(text: string, isBlanked: (kind: Kind) => boolean): string {
  const parts: string[] = []
  let done = 0
  for (const { kind, from, to } of piecesOf(text)) {
    if (!isBlanked(kind)) continue
    parts.push(text.slice(done, from), text.slice(from, to).replace(/[^\n]/g, " "))
    done = to
  }
  return parts.join("") + text.slice(done)
}
