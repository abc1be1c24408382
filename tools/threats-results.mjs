/** What came of the tests of each row of docs/security/threats.md: from the runner's reports to docs/security/results.md, and what is wrong with that page. */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The published page. */
export const resultsPage = fileURLToPath(new URL("../docs/security/results.md", import.meta.url))

const id = "[A-Z][A-Z0-9]{0,2}-\\d+"

/** The rows that a test of the report bears: as tags, or in its title and those of its suites. */
const rowsOf = ({ tags = [], fullName }) =>
  new Set([
    ...tags.filter((tag) => tag.startsWith("threat:")).map((tag) => tag.slice("threat:".length)),
    ...[...fullName.matchAll(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, "g"))].map(([name]) => name),
  ])

/**
 * What the report says: of each row, the tests that bear it by file, and of each file all its tests; how many passed and
 * how many failed. What was skipped counts as neither. `fileOf` makes a path from the root of the repository.
 */
export function resultsOf({ testResults }, fileOf = (name) => name) {
  const rows = new Map()
  const files = new Map()
  for (const { name, assertionResults } of testResults) {
    const file = fileOf(name)
    for (const test of assertionResults) {
      if (test.status !== "passed" && test.status !== "failed") continue
      count(files, file, test.status)
      for (const row of rowsOf(test)) {
        if (!rows.has(row)) rows.set(row, new Map())
        count(rows.get(row), file, test.status)
      }
    }
  }
  return { rows, files }
}

function count(files, file, status) {
  const counts = files.get(file) ?? { passed: 0, failed: 0 }
  counts[status] += 1
  files.set(file, counts)
}

/**
 * One row of the page. `naming`: the files that name the row, whose tests all count where no single one bears it in its
 * title; `elsewhere`: files with tests of it that run in other steps, and have no result here.
 */
export function resultOf(row, { rows, files }, { naming, elsewhere }) {
  const own = [...(rows.get(row) ?? [])]
  const found = own.length > 0 ? own : naming.flatMap((file) => (files.has(file) ? [[file, files.get(file)]] : []))
  const tests = found
    .map(([file, { passed, failed }]) => `\`${file}\` (${own.length > 0 ? passed + failed : "all"})`)
    .toSorted()
  return {
    id: row,
    tests: [...tests, ...elsewhere.map((file) => `\`${file}\``)],
    result: resultIn(found, elsewhere),
  }
}

function resultIn(found, elsewhere) {
  if (found.some(([, { failed }]) => failed > 0)) return "FAILED"
  if (found.length > 0) return "passed"
  return elsewhere.length > 0 ? "own step" : "no test ran"
}

const header = `# Results of the tests of threats

<!-- Written by \`npm run test:security -- --write\`; do not edit. -->
<!-- cspell:disable -->
`

/** The page. */
export function renderResults(rows, { tests, version, node }) {
  const inOwnStep = rows.filter(({ result }) => result === "own step").length
  return [
    header,
    "The rows of [threats.md](threats.md), the files with their tests and how many there are in each, and what came of them",
    `in the last full run: version ${version}, Node ${node}, ${tests} tests. "All" stands for a file whose titles name no row.`,
    "A file without a number has tests that need servers or browsers; `npm test` runs them in steps of their own.",
    `${inOwnStep} rows have only such tests ("own step").`,
    "",
    "| id | tests | result |",
    "| --- | --- | --- |",
    ...rows.map(lineOf),
    "",
  ].join("\n")
}

const lineOf = ({ id: row, tests, result }) => `| ${row} | ${tests.join("<br>")} | ${result} |`

/** The page after a run of some files: rows that it ran completely are new, all others stay as they are. */
export function updateResults(page, rows) {
  const head = page.slice(0, page.indexOf("| --- |"))
  const before = new Map(page.split("\n").map((line) => [new RegExp(`^\\| (${id}) \\|`).exec(line)?.[1], line]))
  const lines = rows.flatMap((row) => (row.isComplete ? [lineOf(row)] : (before.get(row.id) ?? [])))
  return [`${head}| --- | --- | --- |`, ...lines, ""].join("\n")
}

/** The rows of the page, with their results. */
export function readResults(text = existsSync(resultsPage) ? readFileSync(resultsPage, "utf8") : "") {
  return [...text.matchAll(new RegExp(`^\\| (${id}) \\|.*\\| ([^|]*) \\|$`, "gm"))].map(([, row, result]) => ({
    id: row,
    result,
  }))
}

/** Rows of the catalogue that have no result there or a bad one, and results of rows that are not in it. */
export function problemsOfResults(threats, results) {
  const known = new Map(results.map(({ id: row, result }) => [row, result]))
  const rows = new Set(threats.map((threat) => threat.id))
  const run = "`npm run test:security -- --write` writes docs/security/results.md"
  return [
    ...threats.flatMap((threat) => {
      const result = known.get(threat.id)
      if (result === undefined) return [`row ${threat.id} has no result: ${run}`]
      return result === "passed" || result === "own step" ? [] : [`row ${threat.id} has the result ${result}: ${run}`]
    }),
    ...results
      .filter((one) => !rows.has(one.id))
      .map((one) => `there is a result of ${one.id}, which is no row: ${run}`),
    ...results
      .filter((one, index) => results.findIndex((other) => other.id === one.id) !== index)
      .map((one) => `row ${one.id} has two results: ${run}`),
  ]
}
