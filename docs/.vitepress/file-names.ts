import type { MarkdownRenderer } from "vitepress"

/** Shows above a block of code the file it belongs in, which the document names after the language where code cannot say it in a comment. */
export function showFileNames(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules
  if (!fence) throw new Error("Expected markdown-it to have a rule for fence, and it has none")
  markdown.renderer.rules.fence = (tokens, index, ...given) => {
    const name = fileNameOf(tokens[index]?.info ?? "")
    const block = fence(tokens, index, ...given)
    if (name === undefined) return block
    return `<figure class="file"><figcaption>${markdown.utils.escapeHtml(name)}</figcaption>${block}</figure>`
  }
}

/** What stands in brackets after the language: the name of a file in whose language there are no comments. */
export function fileNameOf(info: string): string | undefined {
  return /^\w+ \[(\S+)\]$/.exec(info.trim())?.[1]
}
