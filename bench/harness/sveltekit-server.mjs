/**
 * The SvelteKit integrations as an application's build would have them: bundled, with the virtual modules of SvelteKit
 * in place.
 */
import { existsSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const folder = fileURLToPath(new URL("..", import.meta.url))

/** An application at the root that runs, without variables: what either package reads of it. */
const virtualModules = {
  "$app/env": "export const building = false",
  "$app/environment": "export const building = false\nexport const dev = false",
  "$app/paths": 'export const base = ""\nexport const resolve = (path) => path',
  "$app/env/private": "export {}",
  "$env/dynamic/private": "export const env = {}",
}

/** @returns {Promise<{ SvelteKitAuth: Function, createAuth: Function }>} ours, with the core that it holds */
export function latchkey() {
  if (!existsSync(new URL("../../packages/sveltekit/dist/index.js", import.meta.url))) {
    throw new Error("@latchkey/sveltekit is not built: run `npm run build`")
  }
  const lines = ['export { SvelteKitAuth } from "@latchkey/sveltekit"', 'export { createAuth } from "@latchkey/core"']
  return bundled(lines.join("\n"))
}

/** @returns {Promise<{ SvelteKitAuth: Function }>} */
export function authJs() {
  return bundled('export { SvelteKitAuth } from "@auth/sveltekit"')
}

async function bundled(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [{ name: "virtual modules", setup: provideVirtualModules }],
  })
  const directory = await mkdtemp(join(tmpdir(), "latchkey-bench-"))
  try {
    const file = join(directory, "bundle.mjs")
    await writeFile(file, outputFiles[0].text)
    return await import(pathToFileURL(file).href)
  } finally {
    await rm(directory, { recursive: true })
  }
}

function provideVirtualModules(build) {
  build.onResolve({ filter: /^\$(app|env)\// }, ({ path }) => ({ path, namespace: "virtual" }))
  build.onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({ contents: virtualModules[path] }))
}
