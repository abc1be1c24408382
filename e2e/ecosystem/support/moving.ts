/** An application of Auth.js as a team has it, which the command line then moves to our packages. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { prepare } from "./fixture.js"
import { type Finished, run } from "./process.js"

const packages = fileURLToPath(new URL("../../../packages/", import.meta.url))
const program = join(packages, "cli/dist/latchkey.js")

/** What is made anew, and what checks types of every published path: no application has that. */
const leftBehind = [
  "node_modules",
  "dist",
  ".svelte-kit",
  "next-env.d.ts",
  "package-lock.json",
  "types.ts",
  "tsconfig.types.json",
]

/** The application. */
export interface Moving {
  readonly folder: string
  /** Runs a command to its end. Throws with all it said when it fails. */
  command(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>
  /** Runs `from-authjs --write`, and puts the packages in as `npm install` would. */
  move(): Promise<Finished>
  read(path: string): string
}

interface Manifest {
  dependencies: Record<string, string>
  overrides?: Record<string, string>
}

const parsed = (path: string): Manifest => JSON.parse(readFileSync(path, "utf8")) as Manifest

/** Copies a fixture with the engine of Auth.js in it, and takes everything of ours out of its `package.json`. */
export async function prepareMoving(name: string): Promise<Moving> {
  const fixture = await prepare(name)
  fixture.use("authjs")
  const folder = join(fixture.folder, "../.tmp", name)
  rmSync(folder, { recursive: true, force: true })
  cpSync(fixture.folder, folder, {
    recursive: true,
    filter: (path) => !leftBehind.includes(basename(path)) || path === fixture.folder,
  })
  cpSync(join(fixture.folder, "node_modules"), join(folder, "node_modules"), {
    recursive: true,
    verbatimSymlinks: true,
  })
  const manifest = parsed(join(folder, "package.json"))
  for (const own of ["@auth/core", "authjs-core"]) delete manifest.dependencies[own]
  delete manifest.overrides
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
  // As the starters of the frameworks have it: the declarations of Auth.js do not pass.
  const tsconfig = join(folder, "tsconfig.json")
  writeFileSync(
    tsconfig,
    readFileSync(tsconfig, "utf8").replace('"skipLibCheck": false', '"skipLibCheck": true').replace(', "types.ts"', ""),
  )
  const command: Moving["command"] = async (args, env) => {
    const finished = await run(args, { folder, env })
    if (finished.code !== 0) throw new Error(`${args.join(" ")} failed in ${folder}:\n${finished.output}`)
    return finished
  }
  return {
    folder,
    command,
    read: (path) => readFileSync(join(folder, path), "utf8"),
    async move() {
      const finished = await command([process.execPath, program, "from-authjs", "--write"])
      install(folder)
      return finished
    },
  }
}

/** Nothing of Auth.js is left that could be found by chance. */
function install(folder: string): void {
  const modules = join(folder, "node_modules")
  for (const gone of ["@auth", "next-auth", "authjs-core"])
    rmSync(join(modules, gone), { recursive: true, force: true })
  const { dependencies } = parsed(join(folder, "package.json"))
  const named = Object.keys(dependencies).filter((name) => name.startsWith("@latchkey/"))
  for (const name of new Set(["@latchkey/core", ...named])) {
    const built = join(packages, name.slice("@latchkey/".length))
    if (!existsSync(join(built, "dist")) || readdirSync(join(built, "dist")).length === 0) {
      throw new Error(`${name} is not built yet. Run: npm run build`)
    }
    for (const part of ["package.json", "dist"])
      cpSync(join(built, part), join(modules, name, part), { recursive: true })
  }
}
