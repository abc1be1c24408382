/** Writes all generated files that are in the repository; with `--check` compares them with what is there. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const makers = [
  "endpoints.mjs",
  "options.mjs",
  "reference.mjs",
  "adapter-operations.mjs",
  "page-scripts.mjs",
  "marks.mjs",
  "catalogue.mjs",
  "floors-picture.mjs",
  "differences.mjs",
]
const args = process.argv.includes("--check") ? ["--check"] : []

let failed = false
for (const maker of makers) {
  const path = fileURLToPath(new URL(maker, import.meta.url))
  if (!existsSync(path)) continue
  const { status } = spawnSync(process.execPath, [path, ...args], { stdio: "inherit" })
  if (status !== 0) failed = true
  console.log(`${status === 0 ? "in sync" : "NOT IN SYNC"}: ${maker}`)
}
if (failed) process.exitCode = 1
