/** From a fresh process to the first session: importing, configuring, and reading the session of a visitor. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { summary } from "./harness/measure.mjs"
import { origin, secret } from "./harness/world.mjs"

const config = JSON.stringify({ secret, trustHost: true, basePath: "/auth", providers: [] })
const request = `new Request("${origin}/auth/session")`

/** Each answers nobody, and says so. */
const programs = {
  "Auth.js": `const { Auth } = await import("@auth/core")
    const session = await (await Auth(${request}, ${config})).json()`,
  "Latchkey, as a Response": `const { createAuth } = await import("@latchkey/core")
    const session = await (await createAuth(${config}).handle(${request})).json()`,
  "Latchkey, in process": `const { createAuth } = await import("@latchkey/core")
    const { session } = await createAuth(${config}).session({ url: "${origin}", headers: {} })`,
}

function start(name) {
  const program = `const [begun, worked] = [performance.now(), process.cpuUsage()]
    ${programs[name]}
    const { user, system } = process.cpuUsage(worked)
    const wall = (performance.now() - begun) * 1000
    console.log(JSON.stringify({ session, wall, cpu: user + system }))`
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(`${name} did not start: ${stderr}`)
  const { session, ...times } = JSON.parse(stdout)
  if (session !== null) throw new Error(`${name} knows a visitor without a cookie`)
  return times
}

/** @returns {Promise<object[]>} tables */
export async function run({ rounds, begin }) {
  const title = "Import and first session read, in a fresh process"
  begin?.(title)
  const names = Object.keys(programs)
  const taken = Object.fromEntries(names.map((name) => [name, []]))
  for (const name of names) start(name)
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 ? names.toReversed() : names) taken[name].push(start(name))
  }
  return [{ id: "start", title, rows: summary(taken) }]
}
