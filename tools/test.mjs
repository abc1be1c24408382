/**
 * Runs every check of the project once, in an order that fails early, and says how many passed.
 * `--quick` leaves out what takes long (browser, mutants, packaging); `--only NAME` runs one step.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const reports = mkdtempSync(join(tmpdir(), "latchkey-test-"))
const isQuick = process.argv.includes("--quick")
const only = process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1] : undefined

const vitest = (name, ...args) => [
  "npx",
  "vitest",
  "run",
  ...args,
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${join(reports, `${name}.json`)}`,
]

/** Each step: its name, the command, and whether the quick run leaves it out. */
const steps = [
  { name: "build", command: ["npm", "run", "build", "--silent"] },
  { name: "style", command: ["npx", "biome", "check", "--error-on-warnings", "."] },
  { name: "generated", command: ["node", "tools/generated.mjs", "--check"] },
  { name: "tests", command: vitest("tests", ...(isQuick ? ["--exclude", "packages/core/test/house/**"] : [])) },
  { name: "test types", command: ["npx", "tsc", "-p", "tsconfig.tests.json"], long: true },
  { name: "demo types", command: ["npx", "tsc", "-p", "examples/demo"], long: true },
  { name: "types", command: vitest("types", "--typecheck.only", "--config", "vitest.types.config.ts"), long: true },
  { name: "unused", command: ["npx", "knip"], long: true },
  { name: "packages", command: ["node", "tools/check-packaging.mjs"], long: true },
  { name: "journeys", command: vitest("journeys", "--config", "e2e/vitest.config.ts"), long: true },
  { name: "mutants", command: ["npm", "run", "test:mutants", "--silent"], long: true },
].filter(({ name, long }) => (only ? name === only : !(isQuick && long)))

function run([command, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit" })
    child.on("error", (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.on("close", (code) => resolve(code ?? 1))
  })
}

/** What a step's report counts; a step without a report counts as one. */
function tally(name, code) {
  const file = join(reports, `${name}.json`)
  if (!existsSync(file)) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(file, "utf8"))
  return {
    passed: numPassedTests,
    failed: Math.max(numFailedTests, code === 0 ? 0 : 1),
    skipped: numPendingTests + numTodoTests,
  }
}

const rows = []
const total = { passed: 0, failed: 0, skipped: 0 }
for (const [index, { name, command }] of steps.entries()) {
  console.log(`\n── ${index + 1}/${steps.length} ${name}`)
  const begun = performance.now()
  const code = await run(command)
  const counts = tally(name, code)
  for (const key of Object.keys(total)) total[key] += counts[key]
  rows.push({ name, code, seconds: Math.round((performance.now() - begun) / 1000), ...counts })
  // Whatever comes after would only repeat what a broken build says.
  if (name === "build" && code !== 0) break
}
rmSync(reports, { recursive: true, force: true })

console.log("\n── summary")
for (const { name, code, seconds, passed, failed, skipped } of rows) {
  const mark = code === 0 ? "ok    " : "FAILED"
  console.log(
    `${mark} ${name.padEnd(10)} ${String(seconds).padStart(5)} s  ${passed} passed, ${failed} failed, ${skipped} skipped`,
  )
}
// A skipped test hides what it should show: nothing may be left out where it counts.
const isSkipping = total.skipped > 0 && process.env.CI === "true"
if (isSkipping) console.log(`${total.skipped} tests were skipped, which CI does not allow.`)
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = rows.some(({ code }) => code !== 0) || rows.length < steps.length || isSkipping ? 1 : 0
