/**
 * Proves that the tests of the specification can fail: applies mutants (a random 60, or all with `--all`) to a copy of
 * the sources, one at a time, and runs the tests that name the rule. A mutant that survives is a failure.
 * Options: `--seed N` repeats a choice, `--count N`, `--rule "text"` only rules that contain the text; several texts
 * are separated by `|`.
 */
import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { listTests, readMutants } from "./spec-coverage.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : process.argv[at + 1]
}

/** A small generator, so that a seed repeats a choice (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function choose(mutants, count, seed) {
  const random = randomFrom(seed)
  return mutants
    .map((mutant) => ({ mutant, order: random() }))
    .sort((a, b) => a.order - b.order)
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

/** Runs tests whose names match, those that run and those of types; resolves to true when any of them fail. */
async function fails(folder, files, name) {
  const running = files.filter((file) => !isTypeTest(file))
  const types = files.filter(isTypeTest)
  if (running.length > 0 && !(await isGreen(folder, running, name))) return true
  if (types.length === 0) return false
  return !(await isGreen(folder, [...types, "--typecheck.only", "--config", "vitest.types.config.ts"], name))
}

function isGreen(folder, args, name) {
  return new Promise((resolve) => {
    const command = ["vitest", "run", ...args, "-t", name, "--reporter=dot"]
    const child = spawn("npx", command, { cwd: folder, stdio: "ignore", env: { ...process.env, CI: "true" } })
    child.on("close", (code) => resolve(code === 0))
  })
}

function filesOf(tests, { rule }) {
  return [...new Set((tests.get(rule) ?? []).map(({ file }) => file))].filter((file) => file.startsWith("packages/"))
}

/** Tests that fail anyway would call every mutant killed. */
async function expectGreen(folder, mutants, tests) {
  const files = [...new Set(mutants.flatMap((mutant) => filesOf(tests, mutant)))]
  if (files.length > 0 && (await fails(folder, files, "\\[spec ")))
    throw new Error(`Without any mutant these fail already: ${files.join(" ")}`)
}

async function tryMutant(folder, mutant, tests) {
  const path = join(folder, mutant.file)
  const source = readFileSync(path, "utf8")
  if (source.split(mutant.find).length !== 2) return { mutant, verdict: "misplaced" }
  const files = filesOf(tests, mutant)
  if (files.length === 0) return { mutant, verdict: "untested" }
  writeFileSync(
    path,
    source.replace(mutant.find, () => mutant.replace),
  )
  try {
    return {
      mutant,
      verdict: (await fails(folder, files, `\\[spec ${literally(mutant.rule)}\\]`)) ? "killed" : "SURVIVED",
    }
  } finally {
    writeFileSync(path, source)
  }
}

async function main() {
  const seed = Number(option("seed", String(Date.now() % 1_000_000)))
  const wanted = option("rule", "")
  const all = readMutants().filter(({ rule }) => wanted.split("|").some((text) => rule.includes(text)))
  const chosen = process.argv.includes("--all") ? all : choose(all, Number(option("count", "60")), seed)
  console.log(`${chosen.length} of ${all.length} mutants, seed ${seed}`)
  const tests = listTests()
  const queue = [...chosen]
  const results = []
  const work = async (folder) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const result = await tryMutant(folder, mutant, tests)
      results.push(result)
      console.log(
        `${String(results.length).padStart(3)}/${chosen.length} ${result.verdict.padEnd(9)} ${mutant.rule} (${mutant.file})`,
      )
    }
  }
  const folders = Array.from({ length: Math.min(2, availableParallelism()) }, copyOfSources)
  try {
    await expectGreen(folders[0], chosen, tests)
    await Promise.all(folders.map(work))
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
  const bad = results.filter(({ verdict }) => verdict !== "killed")
  console.log(`${results.length - bad.length} killed, ${bad.length} not`)
  if (bad.length > 0 || results.length === 0) process.exitCode = 1
}

await main()
