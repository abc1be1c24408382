/**
 * Proves that the tests of the specification can fail: applies mutants (always the same 24, or all with `--all`) to a
 * copy of the sources, one at a time, and runs the tests that name the rule. A mutant that survives is a failure.
 * Options: `--seed N` makes another choice, `--count N`, `--rule "text"` only rules that contain the text; several
 * texts are separated by `|`. `--reports FOLDER` takes the names of the tests from reports, which saves a minute.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { parseArgs } from "node:util"
import { isGreen, tryMutants } from "./mutant-workshop.mjs"
import { readMutants, specTests } from "./spec-coverage.mjs"

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

const isTypeTest = (file) => file.endsWith(".test-d.ts")
const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Runs tests whose names match, those that run and those of types; resolves to true when any of them fail. */
async function fails(workshop, files, name) {
  const running = files.filter((file) => !isTypeTest(file))
  const types = files.filter(isTypeTest)
  if (running.length > 0 && !(await isGreen(workshop, running, name))) return true
  if (types.length === 0) return false
  return !(await areTypesGreen(workshop.folder, types, name))
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

async function main() {
  const { seed = "1", count = "24", rule: wanted = "" } = given
  const all = readMutants().filter(({ rule }) => wanted.split("|").some((text) => rule.includes(text)))
  const chosen = isAll ? all : choose(all, Number(count), seed)
  if (chosen.length === 0) throw new Error(`--rule: expected a part of a rule that has mutants, received "${wanted}".`)
  console.log(`${chosen.length} of ${all.length} mutants, seed ${seed}`)
  const tests = specTests(given.reports)
  await tryMutants(chosen, {
    prepare: (workshop) => expectGreen(workshop, chosen, tests),
    prove: (workshop, mutant) => fails(workshop, filesOf(tests, mutant), `\\[spec ${literally(mutant.rule)}\\]`),
    describe: ({ rule, file }) => `${rule} (${file})`,
  })
}

await main()
