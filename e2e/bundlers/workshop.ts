/** The entry points of the packages, and bundles made of them. */
import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { inject } from "vitest"
import { fixture, type packages } from "./fixture.js"

const execute = promisify(execFile)

/** What bundles. */
export type Bundler = "esbuild" | "rollup" | "webpack" | "vite"
/** What it bundles for: the export conditions. */
export type Target = "node" | "workerd" | "browser"

/** Components are compiled by Svelte, in the applications that the step `sveltekit` builds. */
const forSvelteAlone = /\/components(?:\/|$)/

/** Names that can be imported of a package, as its `exports` say; a star is every file that is there. */
export async function doorsOf(name: (typeof packages)[number]): Promise<string[]> {
  const folder = join(inject("workshop"), "node_modules/@latchkey", name)
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    name: string
    exports: Record<string, unknown>
  }
  const doors: string[] = []
  for (const [door, target] of Object.entries(manifest.exports)) {
    if (target === null || forSvelteAlone.test(door)) continue
    const names = door.endsWith("/*") ? await modulesIn(join(folder, "dist", door.slice(2, -2))) : [""]
    doors.push(...names.map((module) => manifest.name + door.slice(1).replace("*", module)))
  }
  return doors
}

async function modulesIn(folder: string): Promise<string[]> {
  const files = await readdir(folder)
  return files.filter((file) => /^[\w-]+\.js$/.test(file) && file !== "index.js").map((file) => file.slice(0, -3))
}

/** Writes programs into the workshop. Answers their paths. */
export async function writePrograms(programs: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await mkdtemp(join(inject("workshop"), "programs-"))
  return Promise.all(
    Object.entries(programs).map(async ([name, text]) => {
      const file = join(folder, `${name}.mjs`)
      await writeFile(file, text)
      return file
    }),
  )
}

/** Bundles files into a folder. Answers what the bundler warned of. @throws Error when it refuses */
export async function bundle(
  { bundler, target, out }: { readonly bundler: Bundler; readonly target: Target; readonly out: string },
  files: readonly string[],
): Promise<string[]> {
  const script = join(fixture, "bundle.mjs")
  const options = { cwd: inject("workshop"), maxBuffer: 2 ** 26, env: { ...process.env, NODE_ENV: undefined } }
  const { stdout } = await execute(process.execPath, [script, bundler, target, out, ...files], options)
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as string[]
}

/** Runs a bundled program where nothing else is installed, and answers what it wrote as JSON. */
export async function run(folder: string, program: string): Promise<unknown> {
  const { stdout } = await execute(process.execPath, [join(folder, `${program}.mjs`)], { cwd: folder })
  return JSON.parse(stdout)
}
