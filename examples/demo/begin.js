/** What `npm start` does: builds the packages where they are older than their sources, says so, and starts the demo. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const packages = ["core", "express", "redis-adapter", "sql-adapter", "testing"].map((name) =>
  join(root, "packages", name),
)

/** @param {string} folder */
function newestIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(...files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs))
}

/** @param {string} folder */
function isBuilt(folder) {
  const built = join(folder, "dist/index.js")
  return existsSync(built) && statSync(built).mtimeMs >= newestIn(join(folder, "src"))
}

if (!packages.every(isBuilt)) {
  const begun = performance.now()
  process.stdout.write("Building the packages (only when their sources are newer) ... ")
  const { status } = spawnSync(process.execPath, [join(root, "tools/bundle.mjs")], { stdio: "inherit" })
  if (status !== 0) process.exit(status ?? 1)
  console.log(`${((performance.now() - begun) / 1000).toFixed(1)} s`)
}
console.log("Starting the application, an identity provider, a mail server and the database ...")
// The identity provider and the mailbox are those of tests, which refuse to load in production. The demo listens on this
// machine only and is no deployment, whatever the shell says.
if (process.env["NODE_ENV"] === "production") delete process.env["NODE_ENV"]
await import("./start.js")
