/**
 * Which tests belong to which row of docs/security/threats.md. Reads the rows that the sources of the tests name,
 * writes `.tmp/threats.md`, and fails when a test names a row that is not there or a row has no test,
 * when a row of docs/security/elsewhere.md or asvs.md, which have no test, does not say where it stands, and when
 * docs/security/results.md, which `npm run test:security -- --write` writes, lacks a row or holds one that failed.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { problemsElsewhere, rowsElsewhere } from "./threats-elsewhere.mjs"
import { problemsOfResults, readResults } from "./threats-results.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const catalogue = join(root, "docs/security/threats.md")
const page = join(root, ".tmp/threats.md")

const id = "[A-Z][A-Z0-9]{0,2}-\\d+"

/** The rows of the catalogue. */
export function readThreats(text = readFileSync(catalogue, "utf8")) {
  return [...text.matchAll(new RegExp(`^\\| (${id}) \\| (.*) \\| ([^|]*) \\|$`, "gm"))].map(
    ([, name, threat, source]) => ({ id: name, threat, source }),
  )
}

/**
 * The rows a test source names: for certain in a tag or in brackets; perhaps in a table of cases, whose titles are made
 * when the tests run.
 */
export function namedIn(text) {
  const all = (pattern) => [...text.matchAll(new RegExp(pattern, "g"))].map(([, name]) => name)
  return {
    certain: new Set([...all(`\\[(${id})\\]`), ...all(`["'\`]threat:(${id})["'\`]`)]),
    possible: new Set(all(`(?<![\\w-])(${id})(?![\\w-])`)),
  }
}

const skipped = new Set(["node_modules", "dist", ".tmp", "fixtures"])

/** All files below a folder that are TypeScript. */
function sourcesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : sourcesBelow(path)
    return entry.name.endsWith(".ts") ? [path] : []
  })
}

/** What the tests, and what they share, name: by path from the root. */
export function readTests() {
  return (
    ["packages", "e2e", "tools"]
      .flatMap((folder) => sourcesBelow(join(root, folder)))
      .map((path) => ({ path, file: relative(root, path).replaceAll("\\", "/") }))
      .filter(({ file }) => /\.test(?:-d)?\.ts$|^e2e\/|\/test\/|\/testing\//.test(file))
      // Their rows are made up.
      .filter(({ file }) => file !== "tools/threats.test.ts" && file !== "tools/threats-results.test.ts")
      .sort((one, other) => (one.file < other.file ? -1 : 1))
      .map(({ path, file }) => ({ file, ...namedIn(readFileSync(path, "utf8")) }))
  )
}

/** Rows without a test, and references to unknown rows. */
export function problemsOf(threats, tests) {
  const known = new Set(threats.map((threat) => threat.id))
  const shown = new Set(tests.flatMap(({ possible }) => [...possible]))
  return [
    ...threats
      .filter((threat, index) => threats.findIndex((other) => other.id === threat.id) !== index)
      .map((threat) => `row ${threat.id} stands there twice`),
    ...tests.flatMap(({ file, certain }) =>
      [...certain].filter((name) => !known.has(name)).map((name) => `${file} names ${name}, which is no row`),
    ),
    ...[...known].filter((name) => !shown.has(name)).map((name) => `row ${name} has no test`),
  ]
}

function render(threats, tests) {
  const rows = threats.map(({ id: name, threat, source }) => {
    const files = tests.filter(({ possible }) => possible.has(name)).map(({ file }) => `\`${file}\``)
    return `| ${name} | ${threat} | ${source} | ${files.join("<br>")} |`
  })
  return ["# Threats and their tests", "", "| id | threat or duty | source | tests |", "|---|---|---|---|", ...rows, ""]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const threats = readThreats()
  const tests = readTests()
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, render(threats, tests).join("\n"))
  const elsewhere = rowsElsewhere()
  const problems = [
    ...problemsOf(threats, tests),
    ...problemsElsewhere(threats, elsewhere),
    ...problemsOfResults(threats, readResults()),
  ]
  for (const problem of problems) console.error(problem)
  console.log(
    `${threats.length} rows with tests, ${elsewhere.length} in elsewhere.md and asvs.md, ${problems.length} problems; the tests of each are in .tmp/threats.md`,
  )
  if (problems.length > 0) process.exitCode = 1
}
