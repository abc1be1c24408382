/** The rows of the catalogue that no test names, in docs/security/elsewhere.md and asvs.md: each has to say where it stands. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../docs/security", import.meta.url))
const read = (name) => readFileSync(join(folder, name), "utf8")

/** What a row may say of itself. */
const place =
  /^(?:test|rows (?<rows>.+)|conformance suite: (?<module>[\w-]+)|(?:not offered|the application|the platform): .+)$/

/**
 * The rows of the two pages, with what they say in their last column.
 *
 * @param {readonly string[]} [pages]
 * @returns {{ id: string, where: string }[]}
 */
export function rowsElsewhere(pages = [read("elsewhere.md"), read("asvs.md")]) {
  return pages.flatMap((page) =>
    [...page.matchAll(/^\| ([A-Z][A-Z0-9]{0,2}-\d+) \|.*\| ([^|]*) \|$/gm)].map(([, id, where]) => ({ id, where })),
  )
}

/**
 * What is wrong with them: a row that says nothing, or names what is not there.
 *
 * @param {readonly { id: string }[]} threats
 * @param {readonly { id: string, where: string }[]} elsewhere
 * @param {string} [conformance] the page of the last run
 * @returns {string[]}
 */
export function problemsElsewhere(threats, elsewhere, conformance = read("conformance.md")) {
  const tested = new Set(threats.map(({ id }) => id))
  return elsewhere.flatMap(({ id, where }, index) => [
    ...(elsewhere.findIndex((other) => other.id === id) === index ? [] : [`row ${id} stands there twice`]),
    ...problemsOfPlace({ id, where }, tested, conformance),
  ])
}

function problemsOfPlace({ id, where }, tested, conformance) {
  const { rows, module } = place.exec(where)?.groups ?? {}
  if (!place.test(where)) return [`row ${id} does not say where it stands: ${where}`]
  if (where === "test") return tested.has(id) ? [] : [`row ${id} has a test, it says, but is no row of threats.md`]
  if (tested.has(id)) return [`row ${id} stands in threats.md as well`]
  if (module) return verdictOf(module, conformance) ? [] : [`row ${id} names ${module}, which passed in no run`]
  const missing = rows?.split(", ").filter((row) => !tested.has(row)) ?? []
  return missing.map((row) => `row ${id} refers to ${row}, which is no row of threats.md`)
}

/** Did the module end as it should? Skipped is what the suite says of an unsigned token that was refused. */
const verdictOf = (module, conformance) =>
  new RegExp(`^\\| ${module} \\| (?:PASSED|SKIPPED) \\|`, "m").test(conformance)
