/**
 * Which test shows which rule of the specification, and which mutant turns it red.
 * Reads the tags `[spec <rule>]` in the names of the tests that the runner itself names, `docs/spec/rules.json` and
 * `docs/spec/mutants/*.json`, writes `.tmp/spec-coverage.md`, and fails when a rule lacks a test or a mutant.
 * `--reports FOLDER` takes the runner's JSON reports `tests.json` and `types.json` from there, and counts what passed;
 * without it the runner is asked for its list, which leaves out what is skipped.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const page = join(root, ".tmp/spec-coverage.md")

/** The configurations whose tests may show a rule. Those of the other steps need servers, browsers or downloads. */
const runs = [
  { name: "tests", args: ["-t", "\\[spec "] },
  { name: "types", args: ["--typecheck.only", "--config", "vitest.types.config.ts"] },
]

/** The tests of what `vitest list --json` wrote. */
export function testsOfList(list) {
  return list.map(({ name, file }) => ({ file, name }))
}

/** The tests that passed in a JSON report. */
export function testsOfReport({ testResults }) {
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed")
      .map(({ ancestorTitles, title }) => ({ file, name: [...ancestorTitles, title].join(" > ") })),
  )
}

/** The tests of each rule. */
export function byRule(tests) {
  const found = new Map()
  for (const { file, name } of tests)
    for (const rule of new Set([...name.matchAll(/\[spec ([^\]]+)\]/g)].map(([, tagged]) => tagged)))
      found.set(rule, [...(found.get(rule) ?? []), { file: relative(root, file), name }])
  return found
}

/** Asks the runner for its tests; those it would skip are not among them. */
function listTests() {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-spec-"))
  try {
    return byRule(
      runs.flatMap(({ name, args }) => {
        const file = join(folder, `${name}.json`)
        const command = ["vitest", "list", ...args, `--json=${file}`]
        const { status, stderr } = spawnSync("npx", command, { cwd: root, encoding: "utf8" })
        if (status !== 0) throw new Error(`vitest could not list its tests:\n${stderr}`)
        return testsOfList(JSON.parse(readFileSync(file, "utf8")))
      }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The tests of each rule: those that passed by the runner's reports in a folder, or the runner's own list. */
export function specTests(folder) {
  const files = folder === undefined ? [] : runs.map(({ name }) => join(folder, `${name}.json`))
  if (files.length === 0 || !files.every((file) => existsSync(file))) return listTests()
  return byRule(files.flatMap((file) => testsOfReport(JSON.parse(readFileSync(file, "utf8")))))
}

/** @returns {{ id: string, rule: string }[]} */
export function readRules() {
  return JSON.parse(readFileSync(join(root, "docs/spec/rules.json"), "utf8"))
}

const mutantsFolder = join(root, "docs/spec/mutants")
const mutantLists = () =>
  readdirSync(mutantsFolder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(mutantsFolder, name))

/** @returns {{ rule: string, file: string, find: string, replace: string, test: string }[]} one list of all mutants */
export function readMutants() {
  return mutantLists().flatMap((list) => JSON.parse(readFileSync(list, "utf8")))
}

/** Puts what `change` makes of each mutant in its place. */
export function changeMutants(change) {
  for (const list of mutantLists()) {
    const mutants = JSON.parse(readFileSync(list, "utf8")).map(change)
    writeFileSync(list, `${JSON.stringify(mutants, null, 2)}\n`)
  }
}

/** What is wrong with a mutant's place in the source. */
export function misplaced({ rule, file, find }) {
  const path = join(root, file)
  if (!existsSync(path)) return [`mutant of "${rule}": there is no file ${file}`]
  const count = readFileSync(path, "utf8").split(find).length - 1
  return count === 1 ? [] : [`mutant of "${rule}": its text stands ${count} times in ${file}, expected once`]
}

/** Rules without a test or mutant, references to unknown rules, and mutants whose test is elsewhere. */
export function problemsOf({ rules, tests, mutants }) {
  const known = new Set(rules.map(({ id }) => id))
  return [
    ...[...tests.keys()]
      .filter((id) => !known.has(id))
      .map((id) => `a test names an unknown rule "${id}" (${tests.get(id)[0].file})`),
    ...mutants.filter(({ rule }) => !known.has(rule)).map(({ rule }) => `a mutant names an unknown rule "${rule}"`),
    ...rules.filter(({ rule }) => !rule?.trim()).map(({ id }) => `rule "${id}" says nothing`),
    ...rules.filter(({ id }) => !tests.has(id)).map(({ id }) => `rule "${id}" has no test`),
    ...rules.filter(({ id }) => !mutants.some(({ rule }) => rule === id)).map(({ id }) => `rule "${id}" has no mutant`),
    ...mutants.flatMap(misplaced),
    ...mutants
      .filter(({ rule, test }) => !tests.get(rule)?.some(({ file }) => file === test))
      .map(({ rule, test }) => `mutant of "${rule}": no test of that rule stands in ${test}`),
  ]
}

const cell = (text) => text.replaceAll("|", "\\|").replaceAll("\n", " ")

function render({ rules, tests, mutants }) {
  const rows = rules.map(({ id, rule }) => {
    const shown = (tests.get(id) ?? []).map(
      ({ file, name }) => `\`${file}\`: ${cell(name.replace(/\s*\[spec [^\]]+\]/g, ""))}`,
    )
    const red = mutants
      .filter((mutant) => mutant.rule === id)
      .map(
        ({ file, find, replace }) =>
          `\`${file}\`: \`${cell(find.trim())}\` → \`${cell(replace.trim()) || "(nothing)"}\``,
      )
    return `| ${id} | ${cell(rule)} | ${shown.join("<br>")} | ${red.join("<br>")} |`
  })
  return [
    "# Specification coverage",
    "",
    "Each row: a rule of the specification, the tests that show it, and a change of the source that turns them red.",
    "",
    "| rule | says | shown by | mutant |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n")
}

function main() {
  const at = process.argv.indexOf("--reports")
  const folder = at < 0 ? undefined : process.argv[at + 1]
  const facts = {
    rules: readRules(),
    mutants: readMutants(),
    tests: specTests(folder),
  }
  mkdirSync(dirname(page), { recursive: true })
  writeFileSync(page, render(facts))
  const problems = problemsOf(facts)
  for (const problem of problems) console.error(problem)
  console.log(`${facts.rules.length} rules, ${problems.length} problems; the table is in ${relative(root, page)}`)
  if (problems.length > 0) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
