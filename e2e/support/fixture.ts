/** Installs a fixture from its own lockfile. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Installs once for each state of the lockfile. No install script runs: nothing is compiled or fetched from elsewhere. */
export function installFixture(name: string): void {
  const folder = fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
  const wanted = readFileSync(join(folder, "package-lock.json"), "utf8")
  const stamp = join(folder, "node_modules/.latchkey-installed")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return
  console.log(`Installing e2e/fixtures/${name} (once for each state of its lockfile) ...`)
  const command = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  execFileSync("npm", command, { cwd: folder, stdio: "inherit" })
  writeFileSync(stamp, wanted)
}
