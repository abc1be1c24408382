/**
 * Proves that tests of security can fail: makes each change of docs/security/mutants.json in a copy of the sources, one at
 * a time, and runs its tests. A change that no test notices is a failure. `npm run test:security:mutants [-- <part of a
 * path>]` tries those of some files alone.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isGreen, tryMutants } from "./mutant-workshop.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

/** @returns {{ file: string, find: string, replace: string, tests: string[] }[]} */
export function readSecurityMutants() {
  return JSON.parse(readFileSync(join(root, "docs/security/mutants.json"), "utf8"))
}

async function main([wanted = ""]) {
  const mutants = readSecurityMutants().filter(({ file }) => file.includes(wanted))
  if (mutants.length === 0) throw new Error(`Expected a part of the path of a file with mutants, received "${wanted}".`)
  await tryMutants(mutants, {
    prepare: async (workshop) => {
      const files = [...new Set(mutants.flatMap(({ tests }) => tests))]
      if (!(await isGreen(workshop, files)))
        throw new Error(`Without any mutant one of these fails: ${files.join(" ")}`)
    },
    prove: async (workshop, { tests }) => !(await isGreen(workshop, tests)),
    describe: ({ file, find }) => `${file}: ${find}`,
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
