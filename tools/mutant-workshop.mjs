/** Where mutants are tried: a copy of the sources with a test runner, so that the checkout itself is never changed. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createVitest } from "vitest/node"

const root = fileURLToPath(new URL("..", import.meta.url))

function copyOfSources() {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-mutants-"))
  for (const name of [
    "packages",
    "tools",
    "e2e/support",
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

/** Some tests run in threads, others in processes. */
function specificationOf(runner, path) {
  const project = runner.projects.find((one) => one.matchesTestGlob(path))
  if (!project) throw new Error(`${path} is no test of vitest.config.ts.`)
  return project.createSpecification(path)
}

/** A pattern that matches a text as it stands. */
export const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/**
 * Runs tests in files, those alone whose names match when a pattern is given; resolves to true when all of them pass. A
 * pattern that no test matches is an error: a mutant would count as killed where nothing has run.
 */
export async function isGreen({ folder, runner }, files, name = ".*") {
  runner.setGlobalTestNamePattern(new RegExp(name))
  const specifications = files.map((file) => specificationOf(runner, join(folder, file)))
  const { testModules: all, unhandledErrors } = await runner.runTestSpecifications(specifications)
  // The runner also remembers modules of earlier mutants.
  const testModules = all.filter(({ moduleId }) => specifications.some((asked) => asked.moduleId === moduleId))
  if (unhandledErrors.length > 0 || !testModules.every((module) => module.ok())) return false
  const hasRun = testModules.some((module) => module.children.allTests("passed").next().done === false)
  if (!hasRun) throw new Error(`No test of ${files.join(" ")} ran: expected one whose name matches ${name}.`)
  return true
}

/** Changes a source while `work` runs. */
async function changed({ folder, runner }, { file, find, replace }, work) {
  const path = join(folder, file)
  const put = (text) => {
    writeFileSync(path, text)
    runner.invalidateFile(path)
  }
  const source = readFileSync(path, "utf8")
  put(source.replace(find, () => replace))
  try {
    return await work()
  } finally {
    put(source)
  }
}

/** Does all of the work, one piece after another in each workshop. */
async function shareOut(workshops, pieces, work) {
  const queue = [...pieces]
  const take = async (workshop) => {
    for (let piece = queue.shift(); piece; piece = queue.shift()) await work(workshop, piece)
  }
  await Promise.all(workshops.map(take))
}

/**
 * Tries each mutant and tells the result: "killed" when its tests fail, which `prove` says. With tests that fail anyway
 * every mutant would count as killed, so all of `controls` have to pass first, as `control` says.
 */
export async function tryMutants(mutants, { controls, control, prove, describe }) {
  const results = []
  const failed = []
  // Also where the runner itself ends the process.
  const onExit = () => {
    const isOver = results.length === mutants.length || failed.some(({ name }) => name === "the run")
    const early = { name: "the run", reason: `ended after ${results.length} of ${mutants.length}` }
    writeReport(results.filter(isKilled).length, isOver ? failed : [...failed, early])
  }
  process.once("exit", onExit)
  const workshops = await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, openWorkshop))
  try {
    await shareOut(workshops, controls, async (workshop, tests) => {
      if (!(await control(workshop, tests)))
        throw new Error(`Without any mutant this fails already: ${JSON.stringify(tests)}`)
    })
    await shareOut(workshops, mutants, async (workshop, mutant) => {
      const begun = performance.now()
      const verdict = await verdictOf(workshop, mutant, prove)
      const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(5)
      results.push(verdict)
      const count = String(results.length).padStart(3)
      console.log(`${count}/${mutants.length} ${verdict.padEnd(9)} ${seconds} s  ${describe(mutant)}`)
      if (!isKilled(verdict)) failed.push({ name: describe(mutant), reason: verdict })
    })
  } catch (error) {
    failed.push({ name: "the run", reason: error.message })
    throw error
  } finally {
    await Promise.all(workshops.map(({ close }) => close()))
  }
  console.log(`${results.length - failed.length} killed, ${failed.length} not`)
  // The runner sets a code of its own whenever a test fails, which is what is wanted here.
  process.exitCode = failed.length > 0 || results.length === 0 ? 1 : 0
}

const isKilled = (verdict) => verdict.startsWith("killed")

/** Where the run of all checks asks for a report, what it reads of the test runner's own ones. */
function writeReport(passed, failed) {
  const file = process.env.LATCHKEY_TEST_REPORT
  if (file === undefined) return
  const assertionResults = failed.map(({ name, reason }) => ({
    status: "failed",
    fullName: name,
    failureMessages: [reason],
  }))
  const testResults = [{ name: "mutants", assertionResults }]
  const counts = { numPassedTests: passed, numFailedTests: failed.length, numPendingTests: 0, numTodoTests: 0 }
  writeFileSync(file, JSON.stringify({ ...counts, testResults }))
}

async function verdictOf(workshop, mutant, prove) {
  const source = readFileSync(join(workshop.folder, mutant.file), "utf8")
  if (source.split(mutant.find).length !== 2) return "misplaced"
  const tries = await changed(workshop, mutant, async () => {
    // Some faults show in one order of events and not in another, which differs from run to run.
    for (let count = 1; count <= 3; count++) if (await prove(workshop, mutant)) return count
    return undefined
  })
  if (tries === undefined) return "SURVIVED"
  return tries === 1 ? "killed" : `killed at try ${tries}`
}
