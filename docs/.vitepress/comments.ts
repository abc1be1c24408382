import type { MarkdownRenderer } from "vitepress"

/** Comments are for whoever opens the source of a page: with `html: false` they would be shown as text. */
export function leaveOutComments(markdown: MarkdownRenderer): void {
  markdown.block.ruler.before("paragraph", "comment", (state, start, end, silent) => {
    if (!lineOf(state, start).startsWith("<!--")) return false
    if (silent) return true
    let line = start
    while (line < end - 1 && !lineOf(state, line).includes("-->")) line += 1
    state.line = line + 1
    return true
  })
}

interface Lines {
  readonly src: string
  readonly bMarks: readonly number[]
  readonly tShift: readonly number[]
  readonly eMarks: readonly number[]
}

function lineOf({ src, bMarks, tShift, eMarks }: Lines, line: number): string {
  return src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line])
}
