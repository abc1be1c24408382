/**
 * Proves that the tests of the specification can fail: applies mutants (a random 60, or all with `--all`) to a copy of
 * the sources, one at a time, and runs the tests that name the rule. A mutant that survives is a failure.
 * Options: `--seed N` repeats a choice, `--count N`, `--rule "text"` only rules that contain the text.
 */
import { spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readMutants, readTags } from "./spec-coverage.mjs"

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
  for (const name of ["packages", "tools", "docs", "vitest.config.ts", "package.json", "tsconfig.json", "tsconfig.base.json"]) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/[\\/](node_modules|dist)([\\/]|$)/.test(path),
    })
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  return folder
}

/** Runs the tests of a rule; resolves to true when they fail. */
function turnsRed(folder, { rule }, files) {
  const types = files.every((file) => file.endsWith(".test-d.ts"))
  const name = `\\[spec ${rule.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\]`
  const args = ["vitest", "run", ...files, "-t", name, "--reporter=dot", ...(types ? ["--typecheck.only"] : [])]
  return new Promise((resolve) => {
    const child = spawn("npx", args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, CI: "true" } })
    let output = ""
    child.stdout.on("data", (part) => { output += part })
    child.stderr.on("data", (part) => { output += part })
    child.on("close", (code) => resolve({ red: code !== 0, output }))
  })
}

async function tryMutant(folder, mutant, tests) {
  const path = join(folder, mutant.file)
  const source = readFileSync(path, "utf8")
  if (source.split(mutant.find).length !== 2) return { mutant, verdict: "misplaced" }
  const files = [...new Set((tests.get(mutant.rule) ?? []).map(({ file }) => file))].filter((file) => file.startsWith("packages/"))
  if (files.length === 0) return { mutant, verdict: "untested" }
  writeFileSync(path, source.replace(mutant.find, () => mutant.replace))
  try {
    const { red } = await turnsRed(folder, mutant, files)
    return { mutant, verdict: red ? "killed" : "SURVIVED" }
  } finally {
    writeFileSync(path, source)
  }
}

async function main() {
  const seed = Number(option("seed", String(Date.now() % 1_000_000)))
  const wanted = option("rule", "")
  const all = readMutants().filter(({ rule }) => rule.includes(wanted))
  const chosen = process.argv.includes("--all") ? all : choose(all, Number(option("count", "60")), seed)
  console.log(`${chosen.length} of ${all.length} mutants, seed ${seed}`)
  const tests = readTags()
  const queue = [...chosen]
  const results = []
  const work = async () => {
    const folder = copyOfSources()
    try {
      for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
        const result = await tryMutant(folder, mutant, tests)
        results.push(result)
        console.log(`${String(results.length).padStart(3)}/${chosen.length} ${result.verdict.padEnd(9)} ${mutant.rule} (${mutant.file})`)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work))
  const bad = results.filter(({ verdict }) => verdict !== "killed")
  console.log(`${results.length - bad.length} killed, ${bad.length} not`)
  if (bad.length > 0 || results.length === 0) process.exitCode = 1
}

await main()
