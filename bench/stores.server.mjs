/** Servers of our own for measuring: the ones that the tests start. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const load = (name) => loadSource(`tools/servers/${name}.ts`)

/** A file of the sources, by its path in the repository: for what no package publishes. */
export async function loadSource(path) {
  const source = fileURLToPath(new URL(`../${path}`, import.meta.url))
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"))
  const outfile = join(folder, "source.mjs")
  try {
    await build({ entryPoints: [source], outfile, bundle: true, platform: "node", format: "esm", logLevel: "silent" })
    return await import(pathToFileURL(outfile).href)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns {Promise<{ url: string, stop(): Promise<void> }>} */
export async function startPostgresql() {
  return (await load("postgresql")).startPostgresql({ settings: { shared_buffers: "512MB" } })
}

/** @returns {Promise<{ url: string, stop(): Promise<void> }>} */
export async function startMariadb() {
  return (await load("mariadb")).startMariadb()
}
