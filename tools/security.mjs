/**
 * Runs every test that names a row of docs/security/threats.md: `npm run test:security [-- <parts of paths>]`. Writes each
 * row with its tests and their result to `.tmp/security.md`, with `--write` to docs/security/results.md (with parts of
 * paths, those rows whose tests all ran), and fails when a test fails or a row has none that ran. Tests that need servers,
 * browsers or other installations run in their own steps of `npm test`; the page says so.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { readTests, readThreats } from "./threats.mjs"
import { renderResults, resultOf, resultsOf, resultsPage, updateResults } from "./threats-results.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, ".tmp")
const report = join(folder, "security.json")

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: "boolean" } } })

/** Is the file part of the tests that need nothing but Node? */
const runsHere = (file) =>
  /^(?:packages|tools)\//.test(file) && !file.includes("/test/servers/") && !file.startsWith("tools/soak/")
const isMeant = (file) => positionals.length === 0 || positionals.some((part) => file.includes(part))
const isTest = (file) => /\.test\.ts$/.test(file)

const all = readTests()
const naming = all.filter(({ possible }) => possible.size > 0)
/** The files that name a row: tests, and what they share. */
const filesNaming = (id) => naming.filter(({ possible }) => possible.has(id)).map(({ file }) => file)
// What tests share has no result of its own: the tests that import it have.
const shared = naming.filter(({ file }) => !isTest(file)).map(({ file }) => file)
const importsAny = (file, modules) => {
  const text = readFileSync(join(root, file), "utf8")
  return modules.some((module) => text.includes(`/${basename(module, ".ts")}.js"`))
}
const chosen = all.filter(
  ({ file, possible }) =>
    isTest(file) && runsHere(file) && isMeant(file) && (possible.size > 0 || importsAny(file, shared)),
)
if (chosen.length === 0) {
  console.error(`No test whose path contains ${positionals.join(" or ")} names a row.`)
  process.exit(2)
}

mkdirSync(folder, { recursive: true })
const args = ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
const { status } = spawnSync("npx", [...args, ...chosen.map(({ file }) => file)], { cwd: root, stdio: "inherit" })

const results = resultsOf(JSON.parse(readFileSync(report, "utf8")), (name) =>
  relative(root, name).replaceAll("\\", "/"),
)
const ran = new Set(chosen.map(({ file }) => file))
const rows = readThreats().map(({ id }) => {
  const named = filesNaming(id)
  const sharing = named.filter((file) => !isTest(file))
  const isNaming = ({ file }) => named.includes(file) || (sharing.length > 0 && importsAny(file, sharing))
  const isComplete = all.every((one) => !isTest(one.file) || !runsHere(one.file) || !isNaming(one) || ran.has(one.file))
  const files = {
    naming: chosen.filter(isNaming).map(({ file }) => file),
    elsewhere: named.filter((file) => isTest(file) && !runsHere(file)),
  }
  return { ...resultOf(id, results, files), isComplete }
})
const { version } = JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8"))
const node = process.versions.node.split(".")[0]
const tests = [...results.files.values()].reduce((sum, { passed, failed }) => sum + passed + failed, 0)
const page = values.write ? resultsPage : join(folder, "security.md")
const isUpdate = values.write && positionals.length > 0
const facts = { tests, version, node }
writeFileSync(page, isUpdate ? updateResults(readFileSync(page, "utf8"), rows) : renderResults(rows, facts))

const counts = new Map()
for (const { result } of rows) counts.set(result, (counts.get(result) ?? 0) + 1)
console.log([...counts].map(([result, number]) => `${number} rows: ${result}`).join(", "))
console.log(`Each is in ${relative(root, page)}.`)
const isBad = counts.has("FAILED") || (positionals.length === 0 && counts.has("no test ran"))
process.exitCode = status === 0 && !isBad ? 0 : 1
