/** The frameworks and runtimes the pages are run with: installed once, from a lockfile of their own. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Folder of the fixture. */
export const fixture: string = fileURLToPath(new URL("../fixtures/guides", import.meta.url))
/** Folders with a lockfile: the frameworks that can be installed together, and those that cannot. */
const homes = [fixture, join(fixture, "nuxt")]
const packages = fileURLToPath(new URL("../../packages", import.meta.url))
/** Those that the pages install. */
const published = ["core", "express", "hono", "next", "sveltekit"]
const modules = join(fixture, "node_modules")

/** Programs of the fixture. What `npm ci` may leave out on other machines is asked for by {@link programOf}. */
const programs = {
  /** The Node that frameworks are run with which need a newer one than the oldest we serve. */
  node24: join(modules, "node24/bin/node"),
  bun: join(modules, "@oven/bun-linux-x64/bin/bun"),
  deno: join(modules, "@deno/linux-x64-glibc/deno"),
  workerd: join(modules, "@cloudflare/workerd-linux-64/bin/workerd"),
} as const

/** A runtime. `node` is the one that runs the tests. */
export type Runtime = keyof typeof programs | "node"

/** The path of a runtime. @throws Error with what to do when it is not installed */
export function programOf(runtime: Runtime): string {
  if (runtime === "node") return process.execPath
  const path = programs[runtime]
  if (!existsSync(path))
    throw new Error(`Expected ${runtime} at ${path}. It is installed by npm on Linux x64 only: run these tests there.`)
  return path
}

/** The script behind a command of the fixture, such as `next`. */
export function scriptOf(path: string, home = ""): string {
  return join(fixture, home, "node_modules", path)
}

/** Before all tests: installs what is missing or has another lockfile, and lays our packages beside it as published. */
export async function setup(): Promise<void> {
  for (const name of published)
    if (!existsSync(join(packages, name, "dist/index.js")))
      throw new Error(`Expected packages/${name} to be built: run \`npm run build\` first.`)
  for (const home of homes) {
    await install(home)
    await rm(join(home, ".data"), { recursive: true, force: true })
    for (const name of published) await layDown(name, join(home, ".data/node_modules/@latchkey", name))
  }
}

async function layDown(name: string, place: string): Promise<void> {
  await mkdir(place, { recursive: true })
  for (const part of ["package.json", "dist"])
    await cp(join(packages, name, part), join(place, part), { recursive: true })
}

async function install(home: string): Promise<void> {
  const lockfile = await readFile(join(home, "package-lock.json"), "utf8")
  const stamp = join(home, "node_modules/.installed-lockfile")
  const installed = existsSync(stamp) ? await readFile(stamp, "utf8") : ""
  if (installed === lockfile) return
  // No install scripts: nothing is compiled, nothing is downloaded from elsewhere.
  await execute("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: home })
  await writeFile(stamp, lockfile)
}

/** Runs a program to its end and answers what it wrote. @throws Error with all of that when it fails */
export function execute(
  program: string,
  parameters: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const settings = {
      cwd,
      env: { ...process.env, NODE_ENV: undefined, VITEST: undefined, ...env },
      maxBuffer: 2 ** 26,
    }
    execFile(program, parameters, settings, (error, out, err) =>
      error ? reject(new Error(`${program} ${parameters.join(" ")} failed:\n${out}\n${err}`)) : resolve(out),
    )
  })
}
