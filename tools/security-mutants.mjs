/**
 * Proves that tests of security can fail: applies each change of docs/security/mutants.json to the
 * sources, runs its tests, and puts the source back. A change that no test notices is a failure. `npm run
 * test:security:mutants [-- <part of a path>]`; run it in a checkout that nobody edits meanwhile.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

/** @returns {{ file: string, find: string, replace: string, tests: string[] }[]} */
export function readSecurityMutants() {
  return JSON.parse(readFileSync(join(root, "docs/security/mutants.json"), "utf8"))
}

const passes = (tests) =>
  spawnSync("npx", ["vitest", "run", "--bail", "1", ...tests], { cwd: root, stdio: "ignore" }).status === 0

function isKilled({ file, find, replace, tests }) {
  const path = join(root, file)
  const source = readFileSync(path, "utf8")
  writeFileSync(
    path,
    source.replace(find, () => replace),
  )
  try {
    return !passes(tests)
  } finally {
    writeFileSync(path, source)
  }
}

function main() {
  const mutants = readSecurityMutants().filter(({ file }) => file.includes(process.argv[2] ?? ""))
  // With tests that fail anyway every mutant would count as killed.
  if (mutants.length === 0 || !passes([...new Set(mutants.flatMap(({ tests }) => tests))]))
    throw new Error("Expected mutants, and tests that pass without any of them.")
  for (const mutant of mutants) {
    const verdict = isKilled(mutant) ? "killed" : "SURVIVED"
    console.log(`${verdict} ${mutant.file}: ${mutant.find}`)
    if (verdict !== "killed") process.exitCode = 1
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
