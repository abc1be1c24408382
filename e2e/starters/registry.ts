/** A package registry on this machine, with every package of the workspace as it would be published. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { installFixture } from "../support/fixture.js"
import { freePort, start } from "./shell.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const program = join(root, "e2e/fixtures/registry/node_modules/verdaccio/bin/verdaccio")

/** A running registry. */
export interface Registry {
  /** For package managers: our packages come from here, all others from where they always do. */
  readonly env: Readonly<Record<string, string>>
  /** A cache of its own: the packages of another run have the same names and versions. */
  readonly cache: string
  close(): void
}

/** Anybody may read and publish, and nothing is asked of another registry. */
function configOf(folder: string): string {
  return `storage: ${join(folder, "storage")}
auth:
  htpasswd:
    file: ${join(folder, "htpasswd")}
packages:
  "**":
    access: $all
    publish: $all
log: { type: stdout, format: pretty, level: warn }
`
}

/** Starts it, and publishes the packages. */
export async function openRegistry(): Promise<Registry> {
  installFixture("registry")
  const folder = mkdtempSync(join(tmpdir(), "latchkey-registry-"))
  const config = join(folder, "config.yaml")
  writeFileSync(config, configOf(folder))
  const port = await freePort()
  const address = `http://localhost:${port}/`
  const stop = await start([process.execPath, program, "--config", config, "--listen", `127.0.0.1:${port}`], {
    folder,
    isReady: async () => (await fetch(`http://127.0.0.1:${port}/-/ping`)).ok,
  })
  const userconfig = join(folder, "npmrc")
  writeFileSync(userconfig, `@latchkey:registry=${address}\n//localhost:${port}/:_authToken=anybody\n`)
  const publish = ["publish", "--workspaces", "--ignore-scripts", "--loglevel=error", "--userconfig", userconfig]
  execFileSync("npm", publish, { cwd: root, stdio: ["ignore", "ignore", "inherit"] })
  return {
    env: { "npm_config_@latchkey:registry": address },
    cache: join(folder, "cache"),
    close() {
      stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
