/** Sources as one file that plain Node can run, for tests that start processes. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build, type Plugin } from "esbuild"

const packages = fileURLToPath(new URL("../../../", import.meta.url))
const require = createRequire(import.meta.url)

/** The sources behind the names that packages are imported by. */
function sourceOf(name: string): string {
  const [, door] = name.split("@latchkey/")
  const [folder = "", ...rest] = (door ?? "").split("/")
  const isFolder = rest.length === 0 || (rest.length === 1 && rest[0] === "providers")
  const path = join(packages, folder, "src", ...rest)
  return isFolder ? join(path, "index.ts") : `${path}.ts`
}

const sources: Plugin = {
  name: "sources",
  setup(builder) {
    builder.onResolve({ filter: /^@latchkey\// }, ({ path }) => ({ path: sourceOf(path) }))
    // Drivers cannot be bundled; wherever the bundle lies, they are found here.
    builder.onResolve({ filter: /^(libsql|pg|mysql2)$/ }, ({ path }) => ({
      path: pathToFileURL(require.resolve(path)).href,
      external: true,
    }))
  },
}

/** Bundles an entry file into `outfile`. Names in `external` are left to the place where the bundle runs. */
export async function bundle(entry: string, outfile: string, external: readonly string[] = []): Promise<string> {
  const left: Plugin = {
    name: "left out",
    setup(builder) {
      builder.onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
        external.includes(path) ? { path, external: true } : undefined,
      )
    },
  }
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    plugins: [left, sources],
    logLevel: "silent",
  })
  return outfile
}
