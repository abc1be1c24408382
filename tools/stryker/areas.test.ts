/** A test or a source that was renamed would drop out of its area without a word, and what it notices with it. */
import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { areas } from "./areas.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The paths that a pattern stands for: one for each name in braces. */
function pathsOf(pattern: string): string[] {
  const [whole, names] = /\{(.+?)\}/.exec(pattern) ?? []
  if (whole === undefined || names === undefined) return [pattern]
  return names.split(",").flatMap((name) => pathsOf(pattern.replace(whole, name)))
}

function isThere(path: string): boolean {
  if (!path.includes("*")) return existsSync(join(root, path))
  const [before = "", after = ""] = path.slice(dirname(path).length + 1).split("*")
  const folder = join(root, dirname(path))
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(before) && name.endsWith(after))
}

it.each(Object.entries(areas))("every source and test of %s is there", (_, { mutate, near, far }) => {
  const paths = [...mutate, ...near, ...far].map((pattern) => pattern.replace(/^!/, "")).flatMap(pathsOf)
  expect(paths.length).toBeGreaterThan(2)
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})
