/** Before all tests: builds the site as `npm run docs` does. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Throws with what the build said when it failed or warned: a page that is missing, a link that leads nowhere. */
export function setup(): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["docs/build.mjs"], { cwd: root, encoding: "utf8" })
  const said = `${stdout}\n${stderr}`
  const complaints = said.split("\n").filter((line) => /\(!\)|⚠|\[warning\]|\[error\]/i.test(line))
  if (status !== 0 || complaints.length > 0)
    throw new Error(`Expected the site to be built without a warning. ${complaints.join("\n")}\n${said.slice(-4000)}`)
}
