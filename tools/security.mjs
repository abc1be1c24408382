/**
 * Runs every test that names a row of docs/security/threats.md: `npm run test:security [-- <part of a path>]`. Writes each
 * row with its tests and their result to `.tmp/security.md`, and fails when a test fails or a row has none that ran.
 * Tests that need servers, browsers or other installations run in their own steps of `npm test`; the page says so.
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { readTests, readThreats } from "./threats.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, ".tmp")
const report = join(folder, "security.json")
const page = join(folder, "security.md")

/** Is the file part of the tests that need nothing but Node? What tests share has no result of its own. */
const runsHere = (file) =>
  /\.test\.ts$/.test(file) &&
  /^(?:packages|tools)\//.test(file) &&
  !file.includes("/test/servers/") &&
  !file.startsWith("tools/soak/")

const [part = ""] = process.argv.slice(2)
const tests = readTests().filter(({ possible }) => possible.size > 0)
const chosen = tests.filter(({ file }) => runsHere(file) && file.includes(part))
if (chosen.length === 0) {
  console.error(`No test whose path contains ${JSON.stringify(part)} names a row.`)
  process.exit(2)
}

mkdirSync(folder, { recursive: true })
const args = ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
const { status } = spawnSync("npx", [...args, ...chosen.map(({ file }) => file)], { cwd: root, stdio: "inherit" })

const results = new Map(
  JSON.parse(readFileSync(report, "utf8")).testResults.map(({ name, status: result }) => [
    relative(root, name).replaceAll("\\", "/"),
    result,
  ]),
)

function resultOf(naming) {
  const ran = naming.map(({ file }) => results.get(file)).filter((result) => result !== undefined)
  if (ran.some((result) => result !== "passed")) return "FAILED"
  if (ran.length > 0) return "passed"
  return naming.some(({ file }) => runsHere(file)) ? "not chosen" : "in its own step"
}

const rows = readThreats().map(({ id, threat }) => {
  const naming = tests.filter(({ possible }) => possible.has(id))
  return { id, threat, files: naming.map(({ file }) => file), result: resultOf(naming) }
})
const lines = rows.map(
  ({ id, threat, files, result }) =>
    `| ${id} | ${threat} | ${files.map((file) => `\`${file}\``).join("<br>")} | ${result} |`,
)
writeFileSync(
  page,
  [
    "# Threats, their tests, and the results",
    "",
    "| id | threat or duty | tests | result |",
    "| --- | --- | --- | --- |",
    ...lines,
    "",
  ].join("\n"),
)
const counts = new Map()
for (const { result } of rows) counts.set(result, (counts.get(result) ?? 0) + 1)
console.log([...counts].map(([result, count]) => `${count} rows ${result}`).join(", "))
console.log("Each is in .tmp/security.md.")
process.exitCode = status === 0 && !counts.has("FAILED") ? 0 : 1
