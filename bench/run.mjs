/**
 * `npm run bench [-- --quick | --full] [--write] [name ...]`: every measurement beside the others in one run. Without a
 * name: what is in the page of benchmarks, in about five minutes; `--full` measures longer, and the stores as well.
 * `--write` writes `docs/benchmarks.md`.
 */
import { readdir } from "node:fs/promises"
import { availableParallelism, cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { install, versions } from "./harness/install.mjs"
import { disturbances, disturbancesBefore, unsteady } from "./harness/measure.mjs"
import { print, write } from "./harness/report.mjs"

const onPage = ["start", "session", "actions", "oidc", "express", "sveltekit", "lookups"]
const words = process.argv.slice(2)
const has = (option) => words.includes(`--${option}`)
const named = words.filter((word) => !word.startsWith("--"))

const known = (await readdir(fileURLToPath(new URL(".", import.meta.url))))
  .filter((file) => file.endsWith(".bench.mjs"))
  .map((file) => file.replace(".bench.mjs", ""))
const unknown = named.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(", ")}. There are: ${known.join(", ")}.`)
  process.exit(1)
}
const wanted =
  named.length > 0 ? named : has("full") ? [...onPage, ...known.filter((name) => !onPage.includes(name))] : onPage

/** `cookies` is asked of the stores: there it stands for less of everything. */
const options = has("quick")
  ? { rounds: 3, milliseconds: 30, people: 100, requests: 200, cookies: 1000 }
  : has("full")
    ? { rounds: 21, milliseconds: 250, people: 10_000, requests: 4000 }
    : { rounds: 9, milliseconds: 120, people: 10_000, requests: 1500 }

const begun = performance.now()
/** What is measured next, for whoever waits. */
options.begin = (title) => console.error(`  ${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s: ${title}`)

install()
const noise = await disturbancesBefore()
const restless = []
console.log(`Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim()}`)
console.log(
  "Medians of interleaved rounds: time on the clock, time of the processor, times of the first one in each round",
)

const tables = []
for (const name of wanted) {
  const { run } = await import(`./${name}.bench.mjs`)
  const measured = (await run(options)) ?? []
  for (const table of measured) {
    print(table)
    restless.push(...unsteady(table.rows).map((line) => `${table.title}: ${line}`))
  }
  noise.push(...(await disturbances(`the end of ${name}`)))
  tables.push(...measured)
}

if (noise.length > 0) {
  console.warn("\nThe machine was busy, and these figures say little. Run this again when nothing else does:")
  for (const line of noise) console.warn(`  ${line}`)
}
if (restless.length > 0) console.warn(["\nThese differ from round to round:", ...restless].join("\n  "))
if (has("write")) {
  if (noise.length > 0 || named.length > 0 || has("quick")) {
    console.error("\nNot written: the page needs every measurement of it, at full length, on a quiet machine.")
    process.exitCode = 1
  } else {
    const beside = Object.entries(versions()).map(([name, version]) => `${name} ${version}`)
    const machine = `${availableParallelism()} processors (${cpus()[0]?.model.trim()})`
    write(tables, `with Node ${process.version} on ${machine}, beside ${beside.join(", ")}`)
  }
}
