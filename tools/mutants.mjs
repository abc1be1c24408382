/**
 * Proves that the tests of the specification can fail: applies mutants (always the same 24, or all with `--all`) to a
 * copy of the sources, one at a time, and runs the test file that each names, as far as it shows the rule. A mutant that
 * survives is a failure. Options: `--seed N` makes another choice, `--count N`, `--rule "text"` only rules that contain
 * the text; several texts are separated by `|`. `--write` looks among all tests of the rule for the fastest file that
 * notices the mutant, and writes its name into `docs/spec/mutants`.
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { isGreen, literally, tryMutants } from "./mutant-workshop.mjs"
import { changeMutants, readMutants, specTests } from "./spec-coverage.mjs"

const text = { type: "string" }
const flag = { type: "boolean" }
const {
  all: isAll,
  write: isWriting,
  ...given
} = parseArgs({
  options: { all: flag, write: flag, seed: text, count: text, rule: text },
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

const namesOf = ({ rule }) => `\\[spec ${literally(rule)}\\]`

/** Runs the tests of one file whose names match; resolves to true when all of them pass. */
function passes(workshop, file, name) {
  return isTypeTest(file) ? areTypesGreen(workshop.folder, file, name) : isGreen(workshop, [file], name)
}

/** The compiler reads one file and what that imports: all tests of types take it a minute. */
function areTypesGreen(folder, file, name) {
  const tsconfig = { extends: "./tsconfig.types.json", include: [file, "packages/next/next-modules.d.ts"] }
  writeFileSync(join(folder, "tsconfig.mutant.json"), JSON.stringify(tsconfig))
  const options = [
    "--typecheck.only",
    "--config",
    "vitest.types.config.ts",
    "--typecheck.tsconfig=tsconfig.mutant.json",
  ]
  return new Promise((resolve) => {
    const child = spawn("npx", ["vitest", "run", file, ...options, "-t", name, "--reporter=dot"], {
      cwd: folder,
      stdio: "ignore",
      env: { ...process.env, CI: "true" },
    })
    child.on("close", (code) => resolve(code === 0))
  })
}

/** The file of those that show the rule which notices the mutant first. Types take longest, and come last. */
async function fastestToNotice(workshop, mutant, tests) {
  const shown = (tests.get(mutant.rule) ?? []).map(({ file }) => file).filter((file) => file.startsWith("packages/"))
  const files = [...new Set(shown)].sort((a, b) => Number(isTypeTest(a)) - Number(isTypeTest(b)))
  let best
  for (const file of files) {
    if (best !== undefined && isTypeTest(file)) break
    const begun = performance.now()
    const isNoticed = !(await passes(workshop, file, namesOf(mutant)))
    const took = performance.now() - begun
    if (isNoticed && (best === undefined || took < best.took)) best = { file, took }
  }
  return best?.file
}

async function main() {
  const { seed = "1", count = "24", rule: wanted = "" } = given
  const all = readMutants().filter(({ rule }) => wanted.split("|").some((text) => rule.includes(text)))
  const chosen = isAll ? all : choose(all, Number(count), seed)
  if (chosen.length === 0) throw new Error(`--rule: expected a part of a rule that has mutants, received "${wanted}".`)
  console.log(`${chosen.length} of ${all.length} mutants, seed ${seed}`)
  const tests = isWriting ? specTests() : new Map()
  const found = new Map()
  await tryMutants(chosen, {
    controls: isWriting ? [] : [...new Set(chosen.map(({ test }) => test))],
    control: (workshop, file) => passes(workshop, file, "\\[spec "),
    prove: async (workshop, mutant) => {
      if (!isWriting) return !(await passes(workshop, mutant.test, namesOf(mutant)))
      const file = await fastestToNotice(workshop, mutant, tests)
      if (file !== undefined) found.set(keyOf(mutant), file)
      return file !== undefined
    },
    describe: ({ rule, file }) => `${rule} (${file})`,
  })
  if (isWriting) changeMutants((mutant) => ({ ...mutant, test: found.get(keyOf(mutant)) ?? mutant.test }))
}

const keyOf = ({ rule, file, find, replace }) => JSON.stringify([rule, file, find, replace])

await main()
