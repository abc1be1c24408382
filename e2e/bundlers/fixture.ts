/** The bundlers, installed once from a lockfile of their own, and a folder outside of the workspace with the packages as published. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    /** Folder that holds the packages and what they depend on, and nothing else. */
    readonly workshop: string
  }
}

const execute = promisify(execFile)
const root = fileURLToPath(new URL("../..", import.meta.url))

/** Folder of the fixture. */
export const fixture: string = join(root, "e2e/fixtures/bundlers")
/** Packages that are imported; the command line is none. */
export const packages = ["core", "express", "redis-adapter", "sql-adapter", "sveltekit"] as const

/** Before all tests: installs what is missing or has another lockfile, and packs the packages. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  for (const name of packages)
    if (!existsSync(join(root, "packages", name, "dist/index.js")))
      throw new Error(`Expected packages/${name} to be built: run \`npm run build\` first.`)
  await install()
  const workshop = await mkdtemp(join(tmpdir(), "latchkey-bundlers-"))
  await Promise.all(packages.map((name) => unpack(name, workshop)))
  const { dependencies } = JSON.parse(await readFile(join(fixture, "package.json"), "utf8")) as {
    dependencies: Record<string, string>
  }
  for (const name of Object.keys(dependencies)) await link(join(fixture, "node_modules", name), workshop, name)
  await writeFile(join(workshop, "package.json"), '{ "type": "module" }\n')
  provide("workshop", workshop)
  return () => rm(workshop, { recursive: true, force: true })
}

async function install(): Promise<void> {
  const lockfile = await readFile(join(fixture, "package-lock.json"), "utf8")
  const stamp = join(fixture, "node_modules/.installed-lockfile")
  if (existsSync(stamp) && (await readFile(stamp, "utf8")) === lockfile) return
  await execute("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: fixture })
  await writeFile(stamp, lockfile)
}

/** As npm would publish it: what is not in the tarball is not there. */
async function unpack(name: (typeof packages)[number], workshop: string): Promise<void> {
  const { stdout } = await execute("npm", ["pack", "--json", "--pack-destination", workshop], {
    cwd: join(root, "packages", name),
  })
  const [packed] = JSON.parse(stdout) as { filename: string; name: string }[]
  if (!packed) throw new Error(`npm packed nothing of ${name}.`)
  const folder = join(workshop, "node_modules", packed.name)
  await mkdir(folder, { recursive: true })
  await execute("tar", ["xzf", join(workshop, packed.filename), "-C", folder, "--strip-components=1"])
}

/** Lays an installed package beside the packages. */
export async function link(from: string, workshop: string, name: string): Promise<void> {
  const path = join(workshop, "node_modules", name)
  await mkdir(dirname(path), { recursive: true })
  await symlink(from, path)
}
