/** Every block of code in the documents says which file it belongs in, where readers of the repository and of the site see it. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const docs = fileURLToPath(new URL("../docs", import.meta.url))

/** Folders of pages; decisions and specifications quote code and are followed by nobody. */
const folders = ["about", "concepts", "guides", "moving", "providers", "reference", "security", "start"]

/** What is typed into a terminal or only looked at belongs in no file. */
const withoutFile = new Set(["sh", "text", "mermaid", "http", "diff"])

/** The name in the first line, or in the second where the first opens a component: `// auth.ts`, `// part of auth.ts`. */
const comment = /^(?:\/\/|#|--|<!--) (?:part of )?[\w.$@+()[\]/-]*\.\w+(?: -->)?$/

/** Lines of a page with a block that names no file. JSON has no comments: the name stands in brackets, and the text has it too. */
function namelessIn(page: string): number[] {
  const lines = page.split("\n")
  const found: number[] = []
  for (let at = 0; at < lines.length; at++) {
    const [, indent, language = "", info = ""] = /^( *)```(\w+)(.*)$/.exec(lines[at] ?? "") ?? []
    if (language === "") continue
    const end = lines.indexOf(`${indent}\`\`\``, at + 1)
    const [first = "", second = ""] = lines.slice(at + 1, end).map((line) => line.trim())
    const inBrackets = /^ \[(\S+)\]$/.exec(info)?.[1]
    const prose = inBrackets === undefined ? "" : lines.filter((_, index) => index < at || index > end).join("\n")
    const isNamed =
      comment.test(first === "---" ? second : first) || (inBrackets !== undefined && prose.includes(inBrackets))
    if (!withoutFile.has(language) && !isNamed) found.push(at + 1)
    at = end
  }
  return found
}

describe("the names of files", () => {
  it("are found in comments and in brackets, and missed where they are not", () => {
    const page = [
      "Put this into `settings.json`.",
      "```ts\n// auth.ts\n```",
      "```astro\n---\n// src/pages/me.astro\n---\n```",
      "```json [settings.json]\n{}\n```",
      "```json [unmentioned.json]\n{}\n```",
      "```ts\nexport const a = 1\n```",
      "```sh\nnpm install\n```",
      '  ```ts title="auth.ts"\n  export const a = 1\n  ```',
    ].join("\n")
    expect(namelessIn(page)).toEqual([13, 16, 22])
  })

  const pages = folders.flatMap((folder) =>
    readdirSync(join(docs, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !join(folder, file).startsWith("reference/api"))
      .map((file) => join(folder, file)),
  )

  it("stand in every block of every page", () => {
    expect(pages.length).toBeGreaterThan(180)
    const nameless = pages.flatMap((page) =>
      namelessIn(readFileSync(join(docs, page), "utf8")).map((line) => `docs/${page}:${line}`),
    )
    expect(nameless).toEqual([])
  })
})
