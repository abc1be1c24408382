/** Links of the documents work in the repository; on the site, those that lead out of `docs/` lead to the repository. */
import { dirname, join, normalize } from "node:path"
import type { MarkdownRenderer } from "vitepress"

/** Where a link of a page leads on the site. `page` and the answer are relative to `docs/`; other sites stay as they are. */
export function linkOnSite(href: string, page: string, repository: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(href)) return href
  const [path = "", fragment] = href.split("#")
  const target = normalize(join("docs", dirname(page), path))
  const anchor = fragment === undefined ? "" : `#${fragment}`
  if (target === "docs" || target.startsWith("docs/spec")) return `${repository}/blob/main/${target}${anchor}`
  if (target.startsWith("docs/")) return `/${withoutReadme(target.slice("docs/".length))}${anchor}`
  return `${repository}/blob/main/${target}${anchor}`
}

/** A folder and its README are one page on the site. */
function withoutReadme(target: string): string {
  if (/(^|\/)README\.md$/.test(target)) return target.replace(/README\.md$/, "")
  return /\.[a-z]+$/.test(target) ? target : `${target.replace(/\/$/, "")}/`
}

export function useLinksOfSite(markdown: MarkdownRenderer, repository: string): void {
  markdown.core.ruler.push("links-of-site", (state) => {
    for (const block of state.tokens) {
      for (const token of block.children ?? []) {
        const href = token.type === "link_open" ? token.attrGet("href") : null
        if (href !== null) token.attrSet("href", linkOnSite(href, pageOf(state.env), repository))
      }
    }
  })
}

/** The path of the page that is being rendered, as it is in `docs/`. */
function pageOf(env: { readonly path?: string }): string {
  const path = env.path ?? ""
  return path.slice(path.lastIndexOf("/docs/") + "/docs/".length)
}
