/** Documents, comments, messages and test titles use the words of docs/glossary.md. Single words are checked by cspell. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

/** A phrase that a reader has to translate first, and what to write instead. */
const phrases: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bthe peer(?:'s)?\b(?! depend)/i, '"Auth.js", by its name'],
  [/\b(?:is|are) no texts?\b|\ba text (?:that|with|which)\b|\bin place of a text\b|\bthe empty text\b/i, '"string"'],
  [/\b(?:a|is|are) lies?\b/i, '"is not true"'],
  [/\bgood intentions\b/i, "what the code accepts, and why"],
  [/\bnobody to be\b|\bwho is here\b|\bwhoever is here\b/i, '"the signed-in user"'],
  [/\b(?:its|whose) time is over\b/i, '"has expired"'],
  [/\bgets mends\b|\bno finding\b/i, '"fix", "vulnerability"'],
]

/** Folders whose text is not written here, and this file, which has to name the phrases. */
const left = new Set(["node_modules", "dist", "coverage", "build", "fixtures", "marks", "phrases.test.ts"])

const written = /\.(?:md|[mc]?[jt]sx?|svelte|yml)$/

/** The paths of what is written here, from the root. */
function sources(folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (left.has(entry.name) || (entry.name.startsWith(".") && entry.name !== ".changeset")) return []
    if (entry.isDirectory()) return sources(path)
    return written.test(entry.name) ? [path] : []
  })
}

/** Where a text has one of the phrases, also across a line break inside of a comment. */
function found(text: string, path: string): string[] {
  const prose = text.replaceAll(/\n[ \t]*(?:\*|\/\/)[ \t]/g, (gap) => `\n${" ".repeat(gap.length - 1)}`)
  return phrases.flatMap(([phrase, instead]) => {
    const anywhere = new RegExp(phrase.source.replaceAll(" ", "\\s+"), `${phrase.flags}g`)
    return [...prose.matchAll(anywhere)].map((match) => {
      const line = prose.slice(0, match.index).split("\n").length
      return `${path}:${line}: "${match[0].replaceAll(/\s+/g, " ")}"; write ${instead}`
    })
  })
}

describe("phrases", () => {
  it("are found with their line and what to write instead, also in a comment of two lines", () => {
    const text = "/**\n * A token of the\n * peer's.\n */\n// The peer dependency is optional.\n"
    expect(found(text, "a.ts")).toEqual(['a.ts:2: "the peer\'s"; write "Auth.js", by its name'])
  })

  it("that readers would have to translate are nowhere", () => {
    const paths = sources()
    expect(paths.length).toBeGreaterThan(1000)
    expect(paths.flatMap((path) => found(readFileSync(join(root, path), "utf8"), path))).toEqual([])
  })
})
