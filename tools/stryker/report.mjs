/**
 * Writes docs/security/mutation.md: `npm run test:stryker -- --report` from what the last run of each area left in
 * `.tmp/stryker`. A change that no test notices and that docs/security/unnoticed.json does not explain is a failure.
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

function reasonsOf(results) {
  const counts = new Map()
  for (const { file, why } of results) {
    if (why === undefined) continue
    const key = `${file.replace("packages/core/src/", "")}\n${why}`
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

/** @returns {number} how many changes nobody has explained */
export function report(names) {
  const known = names.filter((name) => existsSync(`${root}.tmp/stryker/${name}.json`))
  const explained = readUnnoticed()
  const results = known.flatMap((name) => resultsOf(name, explained))
  const left = results.filter(({ isNoticed, why }) => !isNoticed && why === undefined)
  const lines = [
    mark,
    "",
    "| area | changes | a test fails | endless loop | no difference | not noticed | not reached | score |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...known.map((name) =>
      rowOf(
        name,
        results.filter(({ area }) => area === name),
      ),
    ),
    "",
    "## Changes that make no difference",
    "",
    "| file | changes | why |",
    "| --- | --- | --- |",
    ...reasonsOf(results),
    "",
    ...(left.length === 0 ? [] : ["## Changes that are not noticed yet, by file", ""]),
    ...[...countsOf(left)].map(([file, count]) => `- \`${file}\`: ${count}`),
    ...(left.length === 0 ? [] : [""]),
  ]
  const text = readFileSync(page, "utf8")
  writeFileSync(page, text.slice(0, text.indexOf(mark)) + lines.join("\n"))
  return left.length
}
