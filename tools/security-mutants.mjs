/**
 * Proves that tests of security can fail: makes each change of docs/security/mutants.json in a copy of the sources, one at
 * a time, and runs its tests. A change that no test notices is a failure. `npm run test:security:mutants [-- <part of a
 * path>]` tries those of some files alone.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isGreen, literally, tryMutants } from "./mutant-workshop.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

/**
 * `test` is the name of one that notices the change, where all tests of the files take long.
 * @returns {{ file: string, find: string, replace: string, tests: string[], test?: string }[]}
 */
export function readSecurityMutants() {
  return JSON.parse(readFileSync(join(root, "docs/security/mutants.json"), "utf8"))
}

const patternOf = (names) => `(${names.map(literally).join("|")})$`

/** What has to pass without any change: each file, and of a file whose tests are named always, these alone. */
function controlsOf(mutants) {
  const names = new Map(mutants.flatMap(({ tests }) => tests).map((file) => [file, new Set()]))
  for (const { tests, test } of mutants) for (const file of tests) names.get(file).add(test)
  return [...names].map(([file, all]) => ({ file, names: all.has(undefined) ? [""] : [...all] }))
}

async function main([wanted = ""]) {
  const mutants = readSecurityMutants().filter(({ file }) => file.includes(wanted))
  if (mutants.length === 0) throw new Error(`Expected a part of the path of a file with mutants, received "${wanted}".`)
  await tryMutants(mutants, {
    controls: controlsOf(mutants),
    control: (workshop, { file, names }) => isGreen(workshop, [file], patternOf(names)),
    prove: async (workshop, { tests, test = "" }) => !(await isGreen(workshop, tests, patternOf([test]))),
    describe: ({ file, find }) => `${file}: ${find}`,
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
