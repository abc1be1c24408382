/** An application of another project: installed from its own lockfile, and put on the engine it is to run on. */
import { createHash } from "node:crypto"
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Finished, run } from "./process.js"

const core = fileURLToPath(new URL("../../../packages/core/", import.meta.url))

/** The engine behind the import `@auth/core` of the framework. */
export type Engine = "latchkey" | "authjs"

/** An installed application. */
export interface Fixture {
  readonly name: string
  readonly folder: string
  /** Takes what was built before away, and puts an engine in. Auth.js comes from the dependency `authjs-core`. */
  use(engine: Engine): void
  /** Runs a command of the application to its end. Throws with its output when it fails. */
  command(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>
  /** The same; a failure is an answer. */
  attempt(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>
}

/** Installs `e2e/fixtures/<name>`, unless its lockfile is the one that was installed last. */
export async function prepare(name: string): Promise<Fixture> {
  const folder = fileURLToPath(new URL(`../../fixtures/${name}/`, import.meta.url))
  if (!existsSync(join(core, "dist/index.js"))) throw new Error("The core is not built yet. Run: npm run build")
  const fixture: Fixture = {
    name,
    folder,
    use: (engine) => use(folder, engine),
    attempt: (args, env) => run(args, { folder, env }),
    command: async (args, env) => {
      const finished = await run(args, { folder, env })
      if (finished.code !== 0) throw new Error(`${args.join(" ")} failed in e2e/fixtures/${name}:\n${finished.output}`)
      return finished
    },
  }
  await install(fixture)
  rmSync(join(folder, "dist"), { recursive: true, force: true })
  return fixture
}

async function install({ name, folder, attempt }: Fixture): Promise<void> {
  const stamp = join(folder, "node_modules/.latchkey-installed")
  const wanted = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return
  const begun = performance.now()
  console.log(`Installing e2e/fixtures/${name} (once for each state of its lockfile) ...`)
  const { code, output } = await attempt(["npm", "ci"])
  if (code !== 0) {
    throw new Error(
      `e2e/fixtures/${name} could not be installed. Is the package registry within reach? ` +
        `After a change of its package.json run "npm install" in that folder.\n${output}`,
    )
  }
  writeFileSync(stamp, wanted)
  console.log(`Installed e2e/fixtures/${name} in ${Math.round((performance.now() - begun) / 1000)} s.`)
}

/** The installer packed the core as it was at the time; here its place gets what is built now. */
function use(folder: string, engine: Engine): void {
  const place = join(folder, "node_modules/@auth/core")
  rmSync(place, { recursive: true, force: true })
  if (engine === "authjs") {
    cpSync(join(folder, "node_modules/authjs-core"), place, { recursive: true })
    return
  }
  for (const part of ["package.json", "dist"]) cpSync(join(core, part), join(place, part), { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(core, "package.json"), "utf8")) as { dependencies: object }
  const resolver = createRequire(join(place, "package.json"))
  for (const name of Object.keys(dependencies)) {
    if (resolver.resolve.paths(name)?.some((path) => existsSync(join(path, name)))) continue
    throw new Error(`The core needs ${name}, which the lockfile does not have. Run "npm install" in ${folder}`)
  }
}
