import type { MarkdownRenderer } from "vitepress"

/** VitePress compiles pages as templates of Vue, which would evaluate braces in a text; here they are text. */
export function keepBraces(markdown: MarkdownRenderer): void {
  const { rules } = markdown.renderer
  for (const name of ["text", "code_inline"] as const) {
    const render = rules[name]
    if (!render) throw new Error(`Expected markdown-it to have a rule for ${name}, and it has none`)
    rules[name] = (...given) => render(...given).replaceAll("{{", "&#123;&#123;")
  }
}
