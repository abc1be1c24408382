/** Programs that tests run in processes of their own, bundled from the sources of the project. */
import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"
import { afterAll } from "vitest"
import { shared } from "../../../../../vitest.config.js"

const root = fileURLToPath(new URL("../../../../../", import.meta.url))

/** The names of the project lead to its sources, as in all tests. */
function sourceOf(name: string): string | undefined {
  const aliases = shared.resolve?.alias
  for (const { find, replacement } of Array.isArray(aliases) ? aliases : [])
    if (find instanceof RegExp && find.test(name)) return name.replace(find, replacement)
  return undefined
}

const sources: Plugin = {
  name: "sources",
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === "entry-point") return undefined
      const source = sourceOf(path)
      return source === undefined ? { path, external: true } : { path: source }
    })
  },
}

/** Bundles a program of this folder, and removes it when the tests of the file have ended. Returns its path. */
export async function bundleWorker(name: string): Promise<string> {
  // Below the `node_modules` of the core, so that the bundle finds the packages it leaves outside.
  const folder = join(root, "packages/core/node_modules/.latchkey-test", `${process.pid}-${name}`)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `${name}.mjs`)
  await build({
    entryPoints: [fileURLToPath(new URL(`./${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
    plugins: [sources],
  })
  return outfile
}
