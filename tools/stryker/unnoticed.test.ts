/** The changes that no test notices, each with its reason: their lines are still there, and each stands there once. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

interface Unnoticed {
  readonly file: string
  /** A line of the file, with single spaces. */
  readonly line: string
  /** What StrykerJS writes in place of a part of it. */
  readonly changes: readonly string[]
  readonly why: string
}

const all = JSON.parse(readFileSync("docs/security/unnoticed.json", "utf8")) as readonly Unnoticed[]

it.each(all)("$file has the line $line", ({ file, line, changes, why }) => {
  const lines = readFileSync(file, "utf8").split("\n")
  expect(lines.map((text) => text.replace(/\s+/g, " ").trim())).toContain(line)
  expect(changes.length).toBeGreaterThan(0)
  expect(why).toMatch(/^[A-Z`].+\.$/)
})

it("names no change twice", () => {
  const names = all.flatMap(({ file, line, changes }) => changes.map((change) => `${file} ${line} ${change}`))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
