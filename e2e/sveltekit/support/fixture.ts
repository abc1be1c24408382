/** Puts an application together as its developer would: foreign packages from a lockfile, ours from packed archives. */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { run } from "./command.js"
import { freePort } from "./port.js"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const fixtures = join(root, "e2e/fixtures")
const app = join(fixtures, "sveltekit-app")
/** Without a fixture of its own a build lives here, and finds the packages of this repository. */
const here = join(root, "e2e/sveltekit")

/** What is built. */
export interface Build {
  /** Folder below `e2e/fixtures` with its own lockfile; without one the versions of this repository are used. */
  readonly fixture?: string
  /** `kit.paths.base`: empty or with a leading slash. */
  readonly base?: string
  /** Folders below `e2e/fixtures` that are copied over the application. */
  readonly overlays?: readonly string[]
}

/** A folder with an application, its dependencies installed. */
export interface Application {
  readonly folder: string
  /** The Node it runs on. */
  readonly node: string
  readonly base: string
  /** Where it will listen: some builds have to know. */
  readonly port: number
  /** Runs a program of its dependencies on its Node: `vite`, `svelte-check`. */
  runs(program: string, args: readonly string[]): Promise<string>
}

/** Installs what is missing and copies the application to a folder of its own. */
export async function prepare({ base = "", fixture, overlays = [] }: Build): Promise<Application> {
  const home = fixture ? join(fixtures, fixture) : here
  if (fixture) await install(home)
  await installOurs(join(home, ".data"))
  const folder = join(home, ".data", `app${base.replaceAll("/", "-")}`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const source of [app, ...overlays.map((name) => join(fixtures, name))])
    for (const name of ["src", "package.json", "tsconfig.json", "vite.config.js"])
      if (existsSync(join(source, name))) await cp(join(source, name), join(folder, name), { recursive: true })
  const own = join(home, "node_modules/node-bin/bin/node")
  const node = existsSync(own) ? own : process.execPath
  return applicationIn({ folder, base, node, modules: join(fixture ? home : root, "node_modules") })
}

/** An application that stands in this repository already, with its dependencies. */
export function inPlace(name: string): Promise<Application> {
  const modules = join(root, "node_modules")
  return applicationIn({ folder: join(root, name), base: "", node: process.execPath, modules })
}

async function applicationIn(
  given: Pick<Application, "folder" | "base" | "node"> & { readonly modules: string },
): Promise<Application> {
  const { base, folder, modules, node } = given
  const port = await freePort()
  const env = { BASE_PATH: base, ORIGIN: `http://localhost:${port}` }
  return {
    folder,
    node,
    base,
    port,
    runs: async (program, args) =>
      run({ program: node, args: [await binOf(modules, program), ...args], cwd: folder, env }),
  }
}

/** Once for each state of the lockfile. */
async function install(home: string): Promise<void> {
  const stamp = join(home, "node_modules/.installed-from")
  const lock = createHash("sha256")
    .update(await readFile(join(home, "package-lock.json")))
    .digest("hex")
  if (existsSync(stamp) && (await readFile(stamp, "utf8")) === lock) return
  await run({ program: "npm", args: ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd: home })
  await writeFile(stamp, lock)
}

/** As published: packed, then unpacked where the application finds them, so that nothing is seen but what users get. */
async function installOurs(data: string): Promise<void> {
  for (const name of ["core", "sveltekit"]) {
    const source = join(root, "packages", name)
    if (!existsSync(join(source, "dist/index.js"))) throw new Error(`packages/${name} is not built. Run: npm run build`)
    const target = join(data, "node_modules/@latchkey", name)
    await rm(target, { recursive: true, force: true })
    await mkdir(target, { recursive: true })
    const packing = ["pack", "--ignore-scripts", "--silent", "--pack-destination", data]
    const [archive = ""] = /\S+\.tgz/.exec(await run({ program: "npm", args: packing, cwd: source })) ?? []
    await run({ program: "tar", args: ["-xzf", join(data, archive), "-C", target, "--strip-components=1"], cwd: data })
    await rm(join(data, archive))
    // Libraries of which the package has another version than its neighbours stand inside it; all others are found above.
    const nested = join(source, "node_modules")
    if (existsSync(nested)) await cp(nested, join(target, "node_modules"), { recursive: true, dereference: true })
  }
}

/** The file behind a command of a package. */
async function binOf(modules: string, program: string): Promise<string> {
  const owner = program === "svelte-kit" ? "@sveltejs/kit" : program
  const { bin } = JSON.parse(await readFile(join(modules, owner, "package.json"), "utf8")) as {
    bin: string | Record<string, string>
  }
  const file = typeof bin === "string" ? bin : bin[program]
  if (!file) throw new Error(`${owner} has no command ${program}`)
  return join(modules, owner, file)
}
