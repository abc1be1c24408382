/**
 * `npm run test:stryker [-- area ...] [--mutate path:from-to]`: StrykerJS makes every change it knows in the sources of an
 * area (areas.mjs), one at a time, and runs the tests that reach it. Results are kept in `.tmp/stryker`, so that the next
 * run tries only what is new and what survived where tests have changed; `--force` tries everything again. `--mutate`
 * restricts a run to some files or lines, `--near` to the tests that are quick. `--report` writes the page of results.
 */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { areas } from "./areas.mjs"
import { report } from "./report.mjs"

const folder = fileURLToPath(new URL(".", import.meta.url))
const root = fileURLToPath(new URL("../..", import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    force: { type: "boolean", default: false },
    near: { type: "boolean", default: false },
    report: { type: "boolean", default: false },
    mutate: { type: "string", multiple: true },
  },
})
const unknown = positionals.filter((name) => !Object.hasOwn(areas, name))
if (unknown.length > 0) {
  console.error(`There is no area ${unknown.join(", ")}. There are: ${Object.keys(areas).join(", ")}.`)
  process.exit(2)
}

if (values.report) {
  const left = report(Object.keys(areas))
  console.log(`${left} changes that no test notices are not explained in docs/security/unnoticed.json`)
  process.exit(left > 0 ? 1 : 0)
}

/** Installs what is missing or has another lockfile. */
function install() {
  const stamp = `${folder}node_modules/.installed-lockfile`
  const lockfile = readFileSync(`${folder}package-lock.json`, "utf8")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lockfile) return
  console.log("installing StrykerJS: npm ci in tools/stryker/")
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" })
  writeFileSync(stamp, lockfile)
}

function optionsOf(name, { mutate, force }) {
  return {
    mutate: values.mutate ?? mutate,
    testRunner: "vitest",
    vitest: { configFile: "tools/stryker/vitest.config.ts", related: false },
    plugins: ["@stryker-mutator/vitest-runner", `${folder}ignore-messages.mjs`],
    ignorers: ["messages"],
    ignorePatterns: [
      "e2e/*",
      "!e2e/support",
      "conformance",
      "examples",
      "bench",
      "docs/assets",
      "docs/gallery",
      "packages/*/dist",
      ".tmp",
    ],
    coverageAnalysis: "perTest",
    concurrency: 1,
    // Types are not checked here: a change that does not compile is run like any other.
    disableTypeChecks: false,
    incremental: true,
    incrementalFile: `.tmp/stryker/${name}.incremental.json`,
    force,
    tempDirName: ".tmp/stryker/sandbox",
    reporters: ["clear-text", "progress-append-only", "json", "html"],
    clearTextReporter: { logTests: false, reportTests: false, allowColor: false, allowEmojis: false },
    jsonReporter: { fileName: `.tmp/stryker/${name}.json` },
    htmlReporter: { fileName: `.tmp/stryker/${name}.html` },
    // Time-outs stand for endless loops, on a machine that may be busy.
    timeoutMS: 15_000,
    dryRunTimeoutMinutes: 10,
  }
}

/**
 * A change of a constant that no test noticed is tried again: it has no list of tests that reach it, and StrykerJS would
 * keep its result however tests have changed.
 */
function forgetConstants(file) {
  if (!existsSync(file)) return
  const results = JSON.parse(readFileSync(file, "utf8"))
  const isKept = ({ static: isConstant, status }) => !(isConstant && status === "Survived")
  for (const one of Object.values(results.files)) one.mutants = one.mutants.filter(isKept)
  writeFileSync(file, JSON.stringify(results))
}

/** The sources that are changed, by path: what `mutate` names by patterns, and with lines. */
function sourcesOf(mutate) {
  const all = readdirSync("packages/core/src", { recursive: true }).map((path) => `packages/core/src/${path}`)
  const shapes = mutate.map((pattern) => {
    const path = pattern
      .replace(/:[\d:-]+$/, "")
      .replaceAll(".", "\\.")
      .replaceAll("*", "[^/]*")
    return new RegExp(`^${path.replace(/\{(.+?)\}/g, (_, names) => `(${names.replaceAll(",", "|")})`)}$`)
  })
  return all.filter((path) => !path.endsWith(".test.ts") && shapes.some((shape) => shape.test(path)))
}

install()
process.chdir(root)
const { Stryker } = await import("@stryker-mutator/core")
for (const name of positionals.length > 0 ? positionals : Object.keys(areas)) {
  const { mutate, near, far } = areas[name]
  console.log(`\n${name}`)
  const changeSources = async (tests, force) => {
    process.env["STRYKER_AREA_TESTS"] = JSON.stringify(tests)
    process.env["STRYKER_AREA_SOURCES"] = JSON.stringify(sourcesOf(values.mutate ?? mutate))
    forgetConstants(`.tmp/stryker/${name}.incremental.json`)
    await new Stryker(optionsOf(name, { mutate, force })).runMutationTest()
  }
  await changeSources(near, values.force)
  // Only what survived is tried again: with more tests, a change that was noticed stays noticed.
  if (!values.near) await changeSources([...near, ...far], false)
}
