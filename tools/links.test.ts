/** Every relative link of the documents is valid: its file exists, and so does the heading it names. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Folders that hold nothing written here, and those a dot hides. */
const foreign = new Set(["node_modules", "dist", "coverage", "build"])

/** The documents of the project, from its root. */
function documents(folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) return entry.name.endsWith(".md") ? [path] : []
    return foreign.has(entry.name) || entry.name.startsWith(".") ? [] : documents(path)
  })
}

interface Link {
  readonly line: number
  readonly target: string
}

/** Links outside of code, also those of images and of definitions at the end of a page. */
function linksOf(text: string): Link[] {
  const plain = withoutCode(text)
  const links: Link[] = []
  for (const [index, line] of plain.split("\n").entries()) {
    const inline = line.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)
    const defined = line.matchAll(/^\s{0,3}\[[^\]]+\]:\s+<?([^\s>]+)>?/g)
    const embedded = line.matchAll(/<(?:img|a)\b[^>]*\b(?:src|href)="([^"]+)"/g)
    for (const [, target = ""] of [...inline, ...defined, ...embedded]) links.push({ line: index + 1, target })
  }
  return links.filter(({ target }) => !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(target))
}

/** Code is blanked, so that lines keep their numbers. */
function withoutCode(text: string): string {
  let fence = ""
  const lines = text.split("\n").map((line) => {
    const [, mark = ""] = /^\s*(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === "" && mark === "") return line.replaceAll(/`[^`]*`/g, (code) => (code.includes("](") ? "" : code))
    if (fence === "") fence = mark
    else if (mark.startsWith(fence)) fence = ""
    return ""
  })
  return lines.join("\n")
}

/** The anchors that headings get where the documents are shown. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const line of withoutCode(text).split("\n")) {
    const [, heading] = /^#{1,6}\s+(.+?)\s*#*$/.exec(line) ?? []
    if (heading === undefined) continue
    const shown = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase()
    const slug = shown.replaceAll(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-")
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

function brokenLinks(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8")
  return linksOf(text).flatMap(({ line, target }) => {
    const [path = "", anchor = ""] = target.split("#")
    const aim = path === "" ? join(root, file) : join(root, dirname(file), decodeURIComponent(path))
    const where = `${file}:${line}: ${target}`
    if (!existsSync(aim)) return [`${where} (no file ${relative(root, aim)})`]
    if (anchor === "" || !aim.endsWith(".md")) return []
    return anchorsOf(readFileSync(aim, "utf8")).has(anchor) ? [] : [`${where} (no such heading)`]
  })
}

describe("the documents", () => {
  it("have no link that leads nowhere", () => {
    const files = documents()
    expect(files).toContain("README.md")
    expect(files.flatMap(brokenLinks)).toEqual([])
  })
})

/** npm and editors show the page of a package by itself, so its links are whole addresses of this repository. */
describe("the pages of packages", () => {
  const repository = /^https:\/\/github\.com\/latchkey-auth\/latchkey\/(?:blob|tree)\/main\/([^#]+)/
  const pages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/README.md`)

  it.each(pages)("have no relative link, and whole ones lead to what is there: %s", (page) => {
    const text = readFileSync(join(root, page), "utf8")
    expect(linksOf(text)).toEqual([])
    const whole = [...text.matchAll(/\]\((https:[^)\s]+)\)/g)].map(([, target = ""]) => target)
    const missing = whole.filter((target) => {
      const [, path] = repository.exec(target) ?? []
      return path !== undefined && !existsSync(join(root, path))
    })
    expect({ missing, isLinked: whole.some((target) => target.includes("latchkey-auth/latchkey")) }).toEqual({
      missing: [],
      isLinked: true,
    })
  })

  it.each(pages)("begin with a name, and say what to install or to run: %s", (page) => {
    const text = readFileSync(join(root, page), "utf8")
    const name = JSON.parse(readFileSync(join(root, page, "../package.json"), "utf8")).name
    expect(text.startsWith(`# ${name}\n`)).toBe(true)
    expect(text).toMatch(new RegExp(`\\b(?:npm install (?:--save-dev )?|npx )${name}\\b`))
  })
})

describe("the search for links", () => {
  it("finds links, images, definitions and tags, and nothing in code", () => {
    const page = [
      "[a](one.md#x) ![b](two.png) [c](https://app.example) `[d](no.md)`",
      "```md",
      "[e](no.md)",
      "```",
      '[f]: three.md "title"',
      '<img src="four.svg">',
    ]
    expect(linksOf(page.join("\n"))).toEqual([
      { line: 1, target: "one.md#x" },
      { line: 1, target: "two.png" },
      { line: 5, target: "three.md" },
      { line: 6, target: "four.svg" },
    ])
  })

  it("knows the anchors of headings", () => {
    expect([...anchorsOf("# What is *checked*?\n## `x` and y\n```\n# no\n```\n## `x` and y\n")]).toEqual([
      "what-is-checked",
      "x-and-y",
      "x-and-y-1",
    ])
  })
})
