/** Pages of SvelteKit behind the hook of an integration, beside the same pages without one: built with adapter-node, over HTTP. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { measure, start, stop } from "./harness/servers.mjs"
import { origin, signInEmail } from "./harness/world.mjs"

const application = fileURLToPath(new URL("sveltekit-app", import.meta.url))
const program = fileURLToPath(new URL("harness/sveltekit-server.mjs", import.meta.url))
const vite = fileURLToPath(new URL("../node_modules/vite/bin/vite.js", import.meta.url))

const targets = {
  "SvelteKit, no hook": "none",
  "by hand, node:crypto": "by-hand",
  Latchkey: "latchkey",
  "Auth.js": "auth-js",
}

/** @returns {Promise<object[]>} tables */
export async function run(given) {
  build()
  const names = Object.keys(targets)
  const servers = await Promise.all(
    names.map((name) => start(program, [name], { TARGET: targets[name], ORIGIN: origin })),
  )
  const options = { ...given, requests: Math.ceil(given.requests / 3) }
  const asked = {
    ...{ id: "sveltekit-asked", title: "A page of SvelteKit that asks who is signed in", path: () => "/me" },
    tells: ({ isOpen }) => (isOpen ? "You are nobody" : `You are ${signInEmail}`),
  }
  const silent = { id: "sveltekit", title: "A page of SvelteKit that does not ask", path: () => "/" }
  try {
    return [
      await measure(asked, servers, options),
      await measure({ ...silent, tells: () => "asks nobody" }, servers, options),
    ]
  } finally {
    stop(servers)
  }
}

/** In a few seconds. What the build has to say is shown where it fails. */
function build() {
  if (!existsSync(new URL("../packages/sveltekit/dist/index.js", import.meta.url))) {
    throw new Error("@latchkey/sveltekit is not built: run `npm run build`")
  }
  const { status, stderr } = spawnSync(process.execPath, [vite, "build"], { cwd: application, encoding: "utf8" })
  if (status !== 0) throw new Error(`The pages could not be built: ${stderr}`)
}
