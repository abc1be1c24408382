/** A PostgreSQL of our own for measuring: the one that the tests start. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const source = fileURLToPath(new URL("../tools/servers/postgresql.ts", import.meta.url))

/** @returns {Promise<{ url: string, stop(): Promise<void> }>} */
export async function startPostgresql() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"))
  const outfile = join(folder, "postgresql.mjs")
  try {
    await build({ entryPoints: [source], outfile, bundle: true, platform: "node", format: "esm", logLevel: "silent" })
    const started = await import(pathToFileURL(outfile).href)
    return await started.startPostgresql({ settings: { shared_buffers: "512MB" } })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
