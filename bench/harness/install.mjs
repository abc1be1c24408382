/** The libraries that are measured beside this one, from npm: a package and a lockfile of their own, installed on demand. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("..", import.meta.url))
const stamp = `${folder}node_modules/.installed-lockfile`

/** Installs what is missing or has another lockfile. */
export function install() {
  const lockfile = readFileSync(`${folder}package-lock.json`, "utf8")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lockfile) return
  console.log("installing what is measured beside Latchkey: npm ci in bench/")
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" })
  writeFileSync(stamp, lockfile)
}

/** Versions of what is measured, by the name of its package. */
export function versions() {
  const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"))
  return dependencies
}
