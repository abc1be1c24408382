/**
 * Runs every check of the project once, in an order that fails early, and says how many passed.
 * `--quick` leaves out what takes long (browser, mutants, packaging); `--only NAME` runs one step.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { stripVTControlCharacters } from "node:util"
import { tellLeftOut } from "./without.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const leftOut = sentencesOfLeftOut()
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

/** Tests that start many processes or repeat a journey hundreds of times. */
const leftOutOfQuick = [
  "packages/core/test/{house,interop}/**",
  "packages/core/test/flow/faults-*.test.ts",
  "packages/*/test/types/**",
  "packages/express/test/**",
  "packages/sql-adapter/test/{contract,processes}.test.ts",
].flatMap((pattern) => ["--exclude", pattern])

/** Each step: its name, the command, and whether the quick run leaves it out. */
const steps = [
  { name: "build", command: ["npm", "run", "build", "--silent"] },
  { name: "style", command: ["npx", "biome", "check", "--error-on-warnings", "."] },
  { name: "generated", command: ["node", "tools/generated.mjs", "--check"] },
  { name: "tests", command: vitest("tests", ...(isQuick ? leftOutOfQuick : [])) },
  { name: "test types", command: ["npx", "tsc", "-p", "tsconfig.tests.json"], long: true },
  { name: "demo types", command: ["npx", "tsc", "-p", "examples/demo"], long: true },
  { name: "types", command: vitest("types", "--typecheck.only", "--config", "vitest.types.config.ts"), long: true },
  { name: "specification", command: ["node", "tools/spec-coverage.mjs", "--reports", reports], long: true },
  { name: "unused", command: ["npx", "knip"], long: true },
  { name: "packages", command: ["node", "tools/check-packaging.mjs"], long: true },
  { name: "servers", command: vitest("servers", "--config", "vitest.servers.config.ts"), long: true },
  { name: "adapters", command: vitest("adapters", "--config", "e2e/adapters/vitest.config.ts"), long: true },
  { name: "drivers", command: vitest("drivers", "--config", "e2e/drivers/vitest.config.ts"), long: true },
  { name: "journeys", command: vitest("journeys", "--config", "e2e/vitest.config.ts"), long: true },
  { name: "sveltekit", command: vitest("sveltekit", "--config", "e2e/sveltekit/vitest.config.ts"), long: true },
  { name: "bundlers", command: vitest("bundlers", "--config", "e2e/bundlers/vitest.config.ts"), long: true },
  { name: "guides", command: vitest("guides", "--config", "e2e/guides/vitest.config.ts"), long: true },
  { name: "ecosystem", command: vitest("ecosystem", "--config", "e2e/ecosystem/vitest.config.ts"), long: true },
  { name: "mutants", command: ["npm", "run", "test:mutants", "--silent"], long: true },
].filter(({ name, long }) => (only ? name === only : !(isQuick && long)))

/** A part that is misspelt, or left out where nothing may be, is refused before anything runs. */
function sentencesOfLeftOut() {
  try {
    return tellLeftOut(process.env)
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}

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

/** What a step's report counts and which tests failed; a step without a report counts as one. */
function tally(name, code) {
  const file = join(reports, `${name}.json`)
  if (!existsSync(file)) return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0, failures: [] }
  const report = JSON.parse(readFileSync(file, "utf8"))
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests, code === 0 ? 0 : 1),
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(failuresOf),
  }
}

/** The failed tests of one file, each with the first lines of why; a file that did not even load counts as one. */
function failuresOf({ name, message, assertionResults }) {
  const file = relative(root, name)
  const failed = assertionResults.filter(({ status }) => status === "failed")
  if (failed.length === 0 && message) return [`${file}\n${indented(message)}`]
  return failed.map(({ fullName, failureMessages }) => `${file} > ${fullName}\n${indented(failureMessages.join("\n"))}`)
}

const indented = (text) =>
  stripVTControlCharacters(text)
    .split("\n")
    .slice(0, 8)
    .map((line) => `    ${line}`)
    .join("\n")

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
    `${mark} ${name.padEnd(13)} ${String(seconds).padStart(5)} s  ${passed} passed, ${failed} failed, ${skipped} skipped`,
  )
}
// The end of a long output is what people see first: what failed, and why, stands there once more.
for (const { name, failures } of rows) for (const failure of failures) console.log(`\nfailed in ${name}: ${failure}`)
for (const sentence of leftOut) console.log(sentence)
// A skipped test hides what it should show: nothing may be left out where it counts.
const isSkipping = total.skipped > 0 && process.env.CI === "true"
if (isSkipping) console.log(`${total.skipped} tests were skipped, which CI does not allow.`)
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = rows.some(({ code }) => code !== 0) || rows.length < steps.length || isSkipping ? 1 : 0
