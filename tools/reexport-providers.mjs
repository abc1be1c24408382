/**
 * Writes the files behind `./providers/*` of the integrations, after the build: an exports map cannot point into
 * another package, so each provider gets one line that re-exports it from the core. Nothing of it is kept in the
 * repository; the list is what the build of the core left.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const from = join(root, "packages/core/dist/providers")
const into = ["express", "hono", "next", "sveltekit"].map((name) => join(root, "packages", name, "dist/providers"))

/** Providers of the core that were built: names of their modules. */
export async function builtProviders(folder = from) {
  const files = await readdir(folder)
  return files.filter((file) => /^[a-z0-9-]+\.js$/.test(file) && file !== "index.js").map((file) => file.slice(0, -3))
}

/** The module that re-exports one provider, the same text for run time and types. */
export function reexportOf(provider, declarations) {
  const hasDefault = /\bexport default\b|\bas default\b/.test(declarations)
  const door = `@latchkey/core/providers/${provider}`
  return `export * from "${door}";\n${hasDefault ? `export { default } from "${door}";\n` : ""}`
}

async function write(folder, provider) {
  const text = reexportOf(provider, await readFile(join(from, `${provider}.d.ts`), "utf8"))
  await writeFile(join(folder, `${provider}.js`), text)
  await writeFile(join(folder, `${provider}.d.ts`), text)
}

/** Removes what an earlier build wrote for providers that are gone. */
async function sweep(folder, providers) {
  for (const file of await readdir(folder)) {
    const name = file.replace(/\.(?:d\.ts|js)$/, "")
    if (/\.(?:d\.ts|js)$/.test(file) && name !== "index" && !providers.includes(name)) await rm(join(folder, file))
  }
}

async function isBuilt(folder) {
  return readdir(join(folder, "..")).then(
    () => true,
    () => false,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const providers = await builtProviders()
  for (const folder of into) {
    if (!(await isBuilt(folder))) continue
    await mkdir(folder, { recursive: true })
    await sweep(folder, providers)
    for (const provider of providers) await write(folder, provider)
  }
}
