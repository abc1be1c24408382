/** The order in which the pages of the documentation are offered: by what people look for, not by folder. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const docs = fileURLToPath(new URL("..", import.meta.url))

interface Item {
  readonly text: string
  readonly link: string
}

interface Group {
  readonly text: string
  readonly collapsed?: boolean
  readonly items: Item[]
}

/** The first heading of a page, without the marks of Markdown; throws where the page is missing or has none. */
export function titleOf(page: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(join(docs, `${page}.md`), "utf8"))?.[1]
  if (!heading) throw new Error(`docs/${page}.md begins with no heading, so the site has no name for it`)
  return heading.replaceAll(/[`*]/g, "")
}

const linkOf = (page: string) => `/${page.replace(/(^|\/)README$/, "$1")}`
const item = (page: string, text = titleOf(page)): Item => ({ text, link: linkOf(page) })

/** Every page of a folder that no group above names, by title. */
function rest(folder: string, named: readonly string[] = []): Item[] {
  return readdirSync(join(docs, folder))
    .filter((file) => file.endsWith(".md"))
    .map((file) => `${folder}/${file.replace(/\.md$/, "")}`)
    .filter((page) => !page.endsWith("/README") && !named.includes(page))
    .map((page) => item(page))
    .sort((a, b) => a.text.localeCompare(b.text, "en"))
}

/** Pages that are made at build time and are not in the repository. */
const reference = existsSync(join(docs, "reference/api"))
  ? [{ text: "Functions and types", link: "/reference/api/" }]
  : []

const start = ["start/express", "start/sveltekit", "start/next", "start/hono", "start/request"]
const concepts = [
  "concepts/ways-in",
  "concepts/sessions",
  "concepts/cookies",
  "concepts/linking",
  "concepts/trust",
  "concepts/kept-where",
]
const moving = ["guides/moving-from-authjs"]
/** Read like a reference, though it is written as a guide. */
const commands = "guides/command-line"

const present = (pages: readonly string[]) => pages.filter((page) => existsSync(join(docs, `${page}.md`)))

const groups: Group[] = [
  { text: "Start", items: present(start).map((page) => item(page)) },
  { text: "Concepts", items: present(concepts).map((page) => item(page)) },
  { text: "Moving", items: [...present(moving).map((page) => item(page)), ...rest0("moving")] },
  { text: "Guides", items: inOrderOf("guides/README", rest("guides", [...moving, commands])) },
  { text: "Frameworks", collapsed: true, items: [item("guides/frameworks/README"), ...rest("guides/frameworks")] },
  { text: "Reference", items: [...rest("reference"), item(commands), ...reference] },
  { text: "Security", items: rest0("security") },
  { text: "About", items: [...rest0("about"), item("benchmarks"), item("glossary")] },
  { text: "Providers", collapsed: true, items: [item("providers/README", "All providers"), ...rest("providers")] },
  { text: "Decisions", collapsed: true, items: [item("decisions/README", "All decisions"), ...byNumber("decisions")] },
]

function rest0(folder: string): Item[] {
  return existsSync(join(docs, folder)) ? rest(folder) : []
}

/** In the order in which a page links to them; what it does not name comes last. */
function inOrderOf(page: string, items: readonly Item[]): Item[] {
  const text = readFileSync(join(docs, `${page}.md`), "utf8")
  const placeOf = ({ link }: Item): number => {
    const place = text.indexOf(`](${link.slice(link.lastIndexOf("/") + 1)}.md)`)
    return place === -1 ? text.length : place
  }
  return [...items].sort((a, b) => placeOf(a) - placeOf(b))
}

function byNumber(folder: string): Item[] {
  return rest(folder).sort((a, b) => a.link.localeCompare(b.link, "en"))
}

export const sidebar = groups.filter(({ items }) => items.length > 0)
