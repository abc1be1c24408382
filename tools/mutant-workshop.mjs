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

/** Runs tests in files, those alone whose names match when a pattern is given; resolves to true when all of them pass. */
export async function isGreen({ folder, runner }, files, name = ".*") {
  runner.setGlobalTestNamePattern(new RegExp(name))
  const specifications = files.map((file) => specificationOf(runner, join(folder, file)))
  const { testModules: all, unhandledErrors } = await runner.runTestSpecifications(specifications)
  // The runner also remembers modules of earlier mutants.
  const testModules = all.filter(({ moduleId }) => specifications.some((asked) => asked.moduleId === moduleId))
  const hasRun = testModules.some((module) => module.children.allTests("passed").next().done === false)
  return unhandledErrors.length === 0 && hasRun && testModules.every((module) => module.ok())
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

/**
 * Tries each mutant and tells the result: "killed" when its tests fail, which `prove` says. With tests that fail anyway
 * every mutant would count as killed, so `prepare` may throw first.
 */
export async function tryMutants(mutants, { prepare, prove, describe }) {
  const queue = [...mutants]
  const results = []
  const work = async (workshop) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const begun = performance.now()
      const verdict = await verdictOf(workshop, mutant, prove)
      const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(5)
      results.push({ mutant, verdict })
      const count = String(results.length).padStart(3)
      console.log(`${count}/${mutants.length} ${verdict.padEnd(9)} ${seconds} s  ${describe(mutant)}`)
    }
  }
  const workshops = await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, openWorkshop))
  try {
    await prepare(workshops[0])
    await Promise.all(workshops.map(work))
  } finally {
    await Promise.all(workshops.map(({ close }) => close()))
  }
  const bad = results.filter(({ verdict }) => verdict !== "killed")
  console.log(`${results.length - bad.length} killed, ${bad.length} not`)
  // The runner sets a code of its own whenever a test fails, which is what is wanted here.
  process.exitCode = bad.length > 0 || results.length === 0 ? 1 : 0
}

async function verdictOf(workshop, mutant, prove) {
  const source = readFileSync(join(workshop.folder, mutant.file), "utf8")
  if (source.split(mutant.find).length !== 2) return "misplaced"
  const isNoticed = await changed(workshop, mutant, () => prove(workshop, mutant))
  return isNoticed ? "killed" : "SURVIVED"
}
