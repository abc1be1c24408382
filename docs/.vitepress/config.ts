import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig, type MarkdownEnv, type MarkdownRenderer } from "vitepress"
import llmstxt from "vitepress-plugin-llms"
import { keepBraces } from "./braces"
import { leaveOutComments } from "./comments"
import { showFileNames } from "./file-names"
import { useLinksOfSite } from "./links"
import { sidebar } from "./navigation"

const manifest = JSON.parse(readFileSync(fileURLToPath(new URL("../../package.json", import.meta.url)), "utf8"))
const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, "")

/** The reference is made at build time and would be longer than everything else in llms-full.txt. */
const withoutReference = () => sidebar.map((group) => ({ ...group, items: group.items.filter(isWritten) }))
const isWritten = ({ link }: { readonly link: string }) => !link.startsWith("/reference/api")

/** What the search finds of a page: all of it; of the generated reference the names alone, which are enough and a fifth of the bytes. */
const searchedText = (source: string, env: MarkdownEnv, markdown: MarkdownRenderer): string => {
  const isReference = env.relativePath.startsWith("reference/api/")
  return markdown.render(isReference ? (/^# .*$/m.exec(source)?.[0] ?? "") : source, env)
}

/** Guides answer before decisions and catalogues of attacks, which name everything. */
const boostDocument = (id: string): number => (/^\/(?:decisions|security)\//.test(id) ? 0.3 : 1)

export default defineConfig({
  srcExclude: ["spec/**"],
  rewrites: (id) => id.replace(/(^|\/)README\.md$/, "$1index.md"),
  title: "Latchkey",
  description: "Authentication for web applications, as a library",
  lang: "en",
  cleanUrls: true,
  lastUpdated: false,
  ignoreDeadLinks: "localhostLinks",
  vite: {
    publicDir: fileURLToPath(new URL("../assets", import.meta.url)),
    // The index of the search is one file, fetched when somebody searches.
    build: { chunkSizeWarningLimit: 2000 },
    plugins: [llmstxt({ ignoreFiles: ["spec/**", "node_modules/**", "reference/api/**"], sidebar: withoutReference })],
  },
  markdown: {
    html: false,
    config: (markdown) => {
      useLinksOfSite(markdown, repository)
      keepBraces(markdown)
      leaveOutComments(markdown)
      showFileNames(markdown)
    },
  },
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/latchkey.svg" }]],
  themeConfig: {
    logo: "/latchkey.svg",
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: "local", options: { _render: searchedText, miniSearch: { searchOptions: { boostDocument } } } },
    socialLinks: [{ icon: "github", link: repository }],
    nav: [
      { text: "Start", link: sidebar[0]?.items[0]?.link ?? "/" },
      { text: "Guides", link: "/guides/" },
      { text: "Reference", link: "/reference/options" },
      { text: "Providers", link: "/providers/" },
    ],
  },
})
