/**
 * Runs the checks of the project, in an order that fails early, and says how many passed. Without an option it is the
 * gate; `--quick` takes the fastest part of that, `--rest` what the gate leaves out, `--only NAME` one step of any.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs, stripVTControlCharacters } from "node:util"
import { partsLeftOut, tellLeftOut } from "./without.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const { only, ...chosen } = refusing(
  () =>
    parseArgs({ options: { quick: { type: "boolean" }, rest: { type: "boolean" }, only: { type: "string" } } }).values,
)
const leftOut = refusing(() => tellLeftOut(process.env))
const reports = mkdtempSync(join(tmpdir(), "latchkey-test-"))
const runs = { quick: ["quick"], gate: ["quick", "gate"], rest: ["rest"] }
const run = ["quick", "rest"].find((name) => chosen[name]) ?? "gate"

const vitest = (name, ...args) => [
  "npx",
  "vitest",
  "run",
  ...args,
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${join(reports, `${name}.json`)}`,
]

/** The gate takes the example and the newest SvelteKit 2; other versions and settings repeat their journeys. */
const newestSvelteKit = ["example.test.ts", "kit-2.test.ts"]

/** Tests of the whole engine that the gate runs: attacks, the contract, integrations, and what starts many processes. */
const leftOutOfQuick = [
  "packages/core/test/{attack,budgets,contract,house,interop,providers,spec}/**",
  "packages/core/test/flow/{faults-*,languages,replayed-sessions,managed-*}.test.ts",
  "packages/*/test/types/**",
  "packages/{cli,express,sveltekit,testing}/test/**",
  "tools/readmes.test.ts",
  "packages/sql-adapter/test/{contract,earlier-steps,processes,published-tables,waiting-migrations}.test.ts",
]

/** Repeats of what other tests of the gate show, with more databases and processes, that take minutes. */
const leftOutOfGate = ["packages/cli/test/examples.test.ts", "packages/sql-adapter/test/published-tables.test.ts"]
const leftOutOfTests = { quick: leftOutOfQuick, gate: leftOutOfGate, rest: [] }

/** The journeys of the demo once more, with sessions in cookies; the gate takes those in the database. */
const journeysInCookies = "demo/jwt.test.ts"

/** The contract on every table that other tools document takes as long as all other tests on servers. */
const foreignTables = "servers/published-tables.test.ts"
const manyProcesses = ["servers/two-processes.test.ts", "servers/crash.test.ts"]
const servers = (name, ...args) => vitest(name, ...args, "--config", "vitest.servers.config.ts")
const without = (files) => files.flatMap((file) => ["--exclude", `**/${file}`])

const matrices = ["packages/express/test/matrix.test.ts", "packages/core/test/flow/faults-adapter.test.ts"]

const suite = (name, folder, ...args) => vitest(name, ...args, "--config", `e2e/${folder}/vitest.config.ts`)

/**
 * Each step: its name, its command, and which run it belongs to. `quick` steps run always, `gate` steps with
 * `npm test`, and the `rest` (what repeats the gate for more versions, servers, tools or mutants) with `test:rest`.
 * `needs`: parts without which it cannot run; it is left out where `LATCHKEY_WITHOUT` names one of them.
 * `beside`: it leaves a processor free most of the time, so that two such steps that follow each other run at once.
 */
const allSteps = [
  { name: "build", in: "always", command: ["npm", "run", "build", "--silent"] },
  { name: "style", in: "quick", beside: true, command: ["npx", "biome", "check", "--error-on-warnings", "."] },
  { name: "words", in: "quick", beside: true, command: ["npm", "run", "lint:words", "--silent"] },
  { name: "generated", in: "quick", beside: true, command: ["node", "tools/generated.mjs", "--check"] },
  { name: "supply", in: "quick", beside: true, command: ["node", "tools/supply.mjs"] },
  { name: "threats", in: "quick", beside: true, command: ["node", "tools/threats.mjs"] },
  {
    name: "tests",
    in: "quick",
    command: vitest("tests"),
    // Vitest's own option does not reach projects.
    env: { LATCHKEY_TESTS_LEFT_OUT: JSON.stringify(leftOutOfTests[run]) },
  },
  { name: "test types", in: "gate", beside: true, command: ["npx", "tsc", "-p", "tsconfig.tests.json"] },
  { name: "demo types", in: "gate", beside: true, command: ["npx", "tsc", "-p", "examples/demo"] },
  {
    name: "types",
    in: "gate",
    beside: true,
    command: vitest("types", "--typecheck.only", "--config", "vitest.types.config.ts"),
  },
  { name: "unused", in: "gate", beside: true, command: ["npm", "run", "lint:unused", "--silent"] },
  { name: "packages", in: "gate", beside: true, command: ["node", "tools/check-packaging.mjs"] },
  { name: "sizes", in: "gate", beside: true, command: ["node", "tools/package-budgets.mjs"] },
  { name: "specification", in: "gate", command: ["node", "tools/spec-coverage.mjs", "--reports", reports] },
  { name: "servers", in: "gate", command: servers("servers", ...without([foreignTables, ...manyProcesses])) },
  {
    name: "soak",
    in: "gate",
    needs: ["postgresql", "redis", "nginx"],
    command: ["node", "tools/soak.mjs", "--seconds", "60"],
  },
  { name: "journeys", in: "gate", beside: true, command: suite("journeys", "", ...without([journeysInCookies])) },
  { name: "sveltekit", in: "gate", beside: true, command: suite("sveltekit", "sveltekit", ...newestSvelteKit) },
  { name: "mutants", in: "gate", command: ["node", "tools/mutants.mjs"] },
  { name: "foreign tables", in: "rest", command: servers("foreign tables", foreignTables) },
  { name: "processes", in: "rest", command: servers("processes", ...manyProcesses) },
  { name: "repeats", in: "rest", command: vitest("repeats", ...leftOutOfGate) },
  {
    name: "matrices",
    in: "rest",
    command: vitest("matrices", ...matrices),
    // Where this is not set, a matrix takes the cases that bring any two of its values together.
    env: { LATCHKEY_MATRICES: "full" },
  },
  { name: "webauthn 14", in: "rest", command: vitest("webauthn 14", "--config", "vitest.webauthn-14.config.ts") },
  { name: "cluster", in: "rest", command: suite("cluster", "cluster") },
  { name: "jwt journeys", in: "rest", beside: true, command: suite("jwt journeys", "", journeysInCookies) },
  { name: "starters", in: "rest", beside: true, command: suite("starters", "starters") },
  { name: "site", in: "rest", beside: true, command: suite("site", "site") },
  { name: "ecosystem", in: "rest", beside: true, command: suite("ecosystem", "ecosystem") },
  { name: "gallery", in: "rest", beside: true, command: suite("gallery", "gallery") },
  { name: "kits", in: "rest", beside: true, command: suite("kits", "sveltekit", ...without(newestSvelteKit)) },
  { name: "guides", in: "rest", beside: true, command: suite("guides", "guides") },
  { name: "adapters", in: "rest", beside: true, command: suite("adapters", "adapters") },
  { name: "next", in: "rest", beside: true, command: suite("next", "next") },
  { name: "drivers", in: "rest", beside: true, command: suite("drivers", "drivers") },
  { name: "bundlers", in: "rest", beside: true, command: suite("bundlers", "bundlers") },
  { name: "all mutants", in: "rest", command: ["node", "tools/mutants.mjs", "--all"] },
  { name: "security mutants", in: "rest", command: ["node", "tools/security-mutants.mjs"] },
]
const chosenSteps = allSteps.filter(({ name, in: kind }) =>
  only ? name === only : kind === "always" || runs[run].includes(kind),
)
const steps = chosenSteps.filter(({ needs = [] }) => !needs.some((part) => partsLeftOut(process.env).includes(part)))

if (only !== undefined && steps.length === 0) {
  console.error(
    chosenSteps.length === 0
      ? `--only: expected the name of a step, received ${JSON.stringify(only)}. See the list in tools/test.mjs.`
      : `--only: the step ${JSON.stringify(only)} needs ${chosenSteps[0].needs.join(", ")}, and LATCHKEY_WITHOUT leaves one of these out.`,
  )
  process.exit(1)
}

/** An option or a part that is misspelt, or left out where nothing may be, is refused before anything runs. */
function refusing(read) {
  try {
    return read()
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}

/** Runs a command; resolves to its code and, where it runs beside another, to what it printed. */
function execute({ name, command: [command, ...args], env }, { isBeside }) {
  return new Promise((resolve) => {
    const printed = []
    const stdio = isBeside ? ["ignore", "pipe", "pipe"] : "inherit"
    const reporting = { LATCHKEY_TEST_REPORT: join(reports, `${name}.json`) }
    const child = spawn(command, args, { cwd: root, stdio, env: { ...process.env, ...reporting, ...env } })
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => printed.push(chunk))
    child.on("error", (error) => {
      console.error(error.message)
      resolve({ code: 1, printed })
    })
    child.on("close", (code) => resolve({ code: code ?? 1, printed }))
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

async function take(step, { isBeside }) {
  const { name } = step
  const place = `${steps.findIndex((step) => step.name === name) + 1}/${steps.length} ${name}`
  console.log(`\n── ${place}${isBeside ? " begins" : ""}`)
  const begun = performance.now()
  const { code, printed } = await execute(step, { isBeside })
  const seconds = Math.round((performance.now() - begun) / 1000)
  if (isBeside) {
    console.log(`\n── ${place} ends after ${seconds} s`)
    process.stdout.write(Buffer.concat(printed))
  }
  const counts = tally(name, code)
  for (const key of Object.keys(total)) total[key] += counts[key]
  rows.push({ name, code, seconds, ...counts })
}

/** Steps that follow each other and may run at once, two at a time; any other is a group of its own. */
const groups = []
for (const step of steps) {
  if (step.beside && groups.at(-1)?.[0]?.beside) groups.at(-1).push(step)
  else groups.push([step])
}

for (const group of groups) {
  const waiting = [...group]
  const isBeside = group.length > 1
  const takeAll = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) await take(step, { isBeside })
  }
  await Promise.all(isBeside ? [takeAll(), takeAll()] : [takeAll()])
  // Later steps would only repeat the errors of a broken build.
  if (rows[0]?.name === "build" && rows[0].code !== 0) break
}
rmSync(reports, { recursive: true, force: true })

console.log("\n── summary")
for (const { name, code, seconds, passed, failed, skipped } of rows) {
  const mark = code === 0 ? "ok    " : "FAILED"
  console.log(
    `${mark} ${name.padEnd(16)} ${String(seconds).padStart(5)} s  ${passed} passed, ${failed} failed, ${skipped} skipped`,
  )
}
// The end of a long output is what people see first: what failed, and why, stands there once more.
for (const { name, failures } of rows) for (const failure of failures) console.log(`\nfailed in ${name}: ${failure}`)
for (const sentence of leftOut) console.log(sentence)
// Skipped tests hide failures, so none may be skipped in a run that counts.
const isSkipping = total.skipped > 0 && process.env.CI === "true"
if (isSkipping) console.log(`${total.skipped} tests were skipped, which CI does not allow.`)
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = rows.some(({ code }) => code !== 0) || rows.length < steps.length || isSkipping ? 1 : 0
