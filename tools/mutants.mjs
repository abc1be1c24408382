/**
 * Proves that the tests of the specification can fail: applies mutants (always the same 24, or all with `--all`) to a
 * copy of the sources, one at a time, and runs the tests that name the rule. A mutant that survives is a failure.
 * Options: `--seed N` makes another choice, `--count N`, `--rule "text"` only rules that contain the text; several
 * texts are separated by `|`. `--reports FOLDER` takes the names of the tests from reports, which saves a minute.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { createVitest } from "vitest/node"
import { readMutants, specTests } from "./spec-coverage.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const text = { type: "string" }
const { all: isAll, ...given } = parseArgs({
  options: { all: { type: "boolean" }, seed: text, count: text, rule: text, reports: text },
}).values

/** Which mutants are tried: the order follows from each mutant alone, so that a new one does not exchange the others. */
function choose(mutants, count, seed) {
  const order = ({ rule, file, find, replace }) =>
    createHash("sha256")
      .update(JSON.stringify([seed, rule, file, find, replace]))
      .digest("hex")
  return mutants
    .map((mutant) => ({ mutant, key: order(mutant) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}

function copyOfSources() {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-mutants-"))
  for (const name of [
    "packages",
    "tools",
    "docs",
    "vitest.config.ts",
    "vitest.types.config.ts",
    "package.json",
    "tsconfig.json",
    "tsconfig.base.json",
    "tsconfig.tests.json",
    "tsconfig.types.json",
  ]) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/[\\/](node_modules|dist)([\\/]|$)/.test(path),
    })
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  // A package has modules of its own where it needs another version than the rest.
  for (const name of readdirSync(join(root, "packages"))) {
    const own = join("packages", name, "node_modules")
    if (existsSync(join(root, own))) symlinkSync(join(root, own), join(folder, own))
  }
  return folder
}

const isTypeTest = (file) => file.endsWith(".test-d.ts")
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** A copy of the sources with one test runner: starting one for each mutant would take longer than the tests. */
async function openWorkshop() {
  const folder = copyOfSources()
  const runner = await createVitest(
    "test",
    { root: folder, watch: false, reporters: [{}], maxWorkers: 1, bail: 1, env: { NODE_ENV: "test" } },
    { configFile: join(folder, "vitest.config.ts") },
  )
  const close = async () => {
    await runner.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { folder, runner, close }
}

/** Runs tests whose names match, those that run and those of types; resolves to true when any of them fail. */
async function fails({ folder, runner }, files, name) {
  const running = files.filter((file) => !isTypeTest(file))
  const types = files.filter(isTypeTest)
  if (running.length > 0 && !(await isGreen(runner, folder, running, name))) return true
  if (types.length === 0) return false
  return !(await areTypesGreen(folder, types, name))
}

async function isGreen(runner, folder, files, name) {
  runner.setGlobalTestNamePattern(new RegExp(name))
  const project = runner.getRootProject()
  const specifications = files.map((file) => project.createSpecification(join(folder, file)))
  const { testModules: all, unhandledErrors } = await runner.runTestSpecifications(specifications)
  // The runner also remembers modules of earlier mutants.
  const testModules = all.filter(({ moduleId }) => specifications.some((asked) => asked.moduleId === moduleId))
  const hasRun = testModules.some((module) => module.children.allTests("passed").next().done === false)
  return unhandledErrors.length === 0 && hasRun && testModules.every((module) => module.ok())
}

function areTypesGreen(folder, files, name) {
  return new Promise((resolve) => {
    const options = ["--typecheck.only", "--config", "vitest.types.config.ts", "-t", name, "--reporter=dot"]
    const child = spawn("npx", ["vitest", "run", ...files, ...options], {
      cwd: folder,
      stdio: "ignore",
      env: { ...process.env, CI: "true" },
    })
    child.on("close", (code) => resolve(code === 0))
  })
}

function filesOf(tests, { rule }) {
  return [...new Set((tests.get(rule) ?? []).map(({ file }) => file))].filter((file) => file.startsWith("packages/"))
}

/** With tests that fail anyway every mutant would count as killed. */
async function expectGreen(workshop, mutants, tests) {
  const files = [...new Set(mutants.flatMap((mutant) => filesOf(tests, mutant)))]
  if (files.length > 0 && (await fails(workshop, files, "\\[spec ")))
    throw new Error(`Without any mutant these fail already: ${files.join(" ")}`)
}

async function tryMutant(workshop, mutant, tests) {
  const path = join(workshop.folder, mutant.file)
  const put = (text) => {
    writeFileSync(path, text)
    workshop.runner.invalidateFile(path)
  }
  const source = readFileSync(path, "utf8")
  if (source.split(mutant.find).length !== 2) return { mutant, verdict: "misplaced" }
  const files = filesOf(tests, mutant)
  if (files.length === 0) return { mutant, verdict: "untested" }
  put(source.replace(mutant.find, () => mutant.replace))
  try {
    return {
      mutant,
      verdict: (await fails(workshop, files, `\\[spec ${literally(mutant.rule)}\\]`)) ? "killed" : "SURVIVED",
    }
  } finally {
    put(source)
  }
}

async function main() {
  const { seed = "1", count = "24", rule: wanted = "" } = given
  const all = readMutants().filter(({ rule }) => wanted.split("|").some((text) => rule.includes(text)))
  const chosen = isAll ? all : choose(all, Number(count), seed)
  if (chosen.length === 0) throw new Error(`--rule: expected a part of a rule that has mutants, received "${wanted}".`)
  console.log(`${chosen.length} of ${all.length} mutants, seed ${seed}`)
  const tests = specTests(given.reports)
  const queue = [...chosen]
  const results = []
  const work = async (workshop) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const result = await tryMutant(workshop, mutant, tests)
      results.push(result)
      console.log(
        `${String(results.length).padStart(3)}/${chosen.length} ${result.verdict.padEnd(9)} ${mutant.rule} (${mutant.file})`,
      )
    }
  }
  const workshops = await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, openWorkshop))
  try {
    await expectGreen(workshops[0], chosen, tests)
    await Promise.all(workshops.map(work))
  } finally {
    await Promise.all(workshops.map(({ close }) => close()))
  }
  const bad = results.filter(({ verdict }) => verdict !== "killed")
  console.log(`${results.length - bad.length} killed, ${bad.length} not`)
  // The runner sets a code of its own whenever a test fails, which is what is wanted here.
  process.exitCode = bad.length > 0 || results.length === 0 ? 1 : 0
}

await main()
