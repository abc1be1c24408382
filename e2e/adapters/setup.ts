/** Before all tests: installs the published adapters from their own lockfile, and starts a PostgreSQL for them. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { TestProject } from "vitest/node"
import { startServers } from "../../tools/servers/global-setup.js"

const fixture = fileURLToPath(new URL("../fixtures/adapters", import.meta.url))

/** Installs once for each state of the lockfile. No install script runs: nothing is compiled or fetched from elsewhere. */
function install(): void {
  const wanted = readFileSync(join(fixture, "package-lock.json"), "utf8")
  const stamp = join(fixture, "node_modules/.latchkey-installed")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return
  console.log("Installing e2e/fixtures/adapters (once for each state of its lockfile) ...")
  const command = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  execFileSync("npm", command, { cwd: fixture, stdio: "inherit" })
  writeFileSync(stamp, wanted)
}

/** Called by the test runner; what it answers is called at the end. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  install()
  return startServers(project, ["postgresql"])
}
