/**
 * Writes docs/security/mutation.md: `npm run test:stryker -- --report` from what the last run of each area left in
 * `.tmp/stryker`; areas that were not run here keep their lines. A change that no test notices and that
 * docs/security/unnoticed.json does not explain is a failure.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const page = `${root}docs/security/mutation.md`
const mark = "<!-- Below: written by `npm run test:stryker -- --report`; do not edit. -->"

/** @returns {{ file: string, line: string, changes: string[], why: string }[]} */
export function readUnnoticed() {
  return JSON.parse(readFileSync(`${root}docs/security/unnoticed.json`, "utf8"))
}

const inOneLine = (text) => text.replace(/\s+/g, " ").trim()

function resultsOf(name, explained) {
  const { files } = JSON.parse(readFileSync(`${root}.tmp/stryker/${name}.json`, "utf8"))
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split("\n")
    return mutants
      .filter(({ status }) => status !== "Ignored")
      .map(({ status, location, replacement }) => {
        const line = inOneLine(lines[location.start.line - 1])
        const change = inOneLine(replacement)
        const isNoticed = status === "Killed" || status === "Timeout"
        const why = explained.find((one) => one.file === file && one.line === line && one.changes.includes(change))?.why
        return { area: name, file, line, change, status, isNoticed, why: isNoticed ? undefined : why }
      })
  })
}

function rowOf(name, results) {
  const count = (isMeant) => results.filter(isMeant).length
  const killed = count(({ status }) => status === "Killed")
  const endless = count(({ status }) => status === "Timeout")
  const equal = count(({ why }) => why !== undefined)
  const unreached = count(({ status, why }) => status === "NoCoverage" && why === undefined)
  const left = results.length - killed - endless - equal - unreached
  const score = ((100 * (killed + endless)) / (results.length - equal)).toFixed(1)
  return `| ${name} | ${results.length} | ${killed} | ${endless} | ${equal} | ${left} | ${unreached} | ${score} % |`
}

const shortOf = (file) => file.replace("packages/core/src/", "")

function reasonsOf(results) {
  const counts = new Map()
  for (const { file, why } of results) {
    if (why === undefined) continue
    const key = `${shortOf(file)}\n${why}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].map(([key, count]) => {
    const [file, why] = key.split("\n")
    return `| \`${file}\` | ${count} | ${why} |`
  })
}

/** How many changes of each file no test that ran has noticed. */
function countsOf(left) {
  const counts = new Map()
  for (const { file } of left) counts.set(file, (counts.get(file) ?? 0) + 1)
  return counts
}

/** The lines that the page has of what was not run here: of other areas, and of files that no result names. */
function linesKept(page, { known, results }) {
  const run = new Set(results.map(({ file }) => shortOf(file)))
  const lines = page.slice(page.indexOf(mark)).split("\n")
  const of = (shape, isRun) => lines.filter((line) => shape.test(line) && !isRun(shape.exec(line)[1]))
  const isFileRun = (file) => run.has(shortOf(file))
  return {
    areas: of(/^\| ([a-z-]+) \| \d/, (name) => known.includes(name)),
    reasons: of(/^\| `(.+?)` \|/, isFileRun),
    left: of(/^- `(.+?)`/, isFileRun),
  }
}

/** @returns {number} how many changes nobody has explained */
export function report(names) {
  const known = names.filter((name) => existsSync(`${root}.tmp/stryker/${name}.json`))
  const explained = readUnnoticed()
  const results = known.flatMap((name) => resultsOf(name, explained))
  const left = results.filter(({ isNoticed, why }) => !isNoticed && why === undefined)
  const text = readFileSync(page, "utf8")
  const kept = linesKept(text, { known, results })
  const rows = names.map((name) =>
    known.includes(name)
      ? rowOf(
          name,
          results.filter(({ area }) => area === name),
        )
      : kept.areas.find((row) => row.startsWith(`| ${name} |`)),
  )
  const leftByFile = [...kept.left, ...[...countsOf(left)].map(([file, count]) => `- \`${file}\`: ${count}`)]
  const lines = [
    mark,
    "",
    "| area | changes | a test fails | endless loop | no difference | not noticed | not reached | score |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.filter((row) => row !== undefined),
    "",
    "## Changes that make no difference",
    "",
    "| file | changes | why |",
    "| --- | --- | --- |",
    ...kept.reasons,
    ...reasonsOf(results),
    "",
    ...(leftByFile.length === 0 ? [] : ["## Changes that are not noticed yet, by file", "", ...leftByFile, ""]),
  ]
  writeFileSync(page, text.slice(0, text.indexOf(mark)) + lines.join("\n"))
  return left.length
}
