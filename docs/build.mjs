/**
 * `npm run docs`: builds the site of the documentation into `docs/.vitepress/dist` and fails on any warning, such as a
 * link to a page that does not exist. `npm run docs -- --serve` shows it afterwards, `-- --dev` while it is written.
 * The packages have to be built before, because the reference is made from their declarations.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL(".", import.meta.url))
const stamp = `${folder}node_modules/.installed-lockfile`
const asked = (option) => process.argv.includes(`--${option}`)

install()
console.log("making the reference from the declarations of the packages")
rmSync(`${folder}reference/api`, { recursive: true, force: true })
run("typedoc")
if (asked("dev")) run("vitepress", "dev")
else {
  console.log("building the site: about half a minute")
  run("vitepress", "build")
  console.log(`built ${folder}.vitepress/dist`)
  if (asked("serve")) run("vitepress", "preview")
}

/** Installs what is missing or has another lockfile; no install script runs. */
function install() {
  const lockfile = readFileSync(`${folder}package-lock.json`, "utf8")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lockfile) return
  console.log("installing what builds the site: npm ci in docs/")
  start("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"])
  writeFileSync(stamp, lockfile)
}

function run(program, ...args) {
  start("npx", ["--no-install", program, ...args])
}

function start(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: "inherit" })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
