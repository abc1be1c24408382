/** Makes a project of a page: writes its files, checks their types, builds it, starts it. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Block, extract, variablesOf } from "./extract.js"
import { execute, programOf, scriptOf } from "./fixture.js"
import { type Guide, serverOf, workshopOf } from "./guides.js"
import { type Running, start } from "./server.js"
import { type Worker, workerdConfig } from "./workerd.js"

/** Folder of the pages. */
export const pages: string = fileURLToPath(new URL("../../docs/guides/frameworks", import.meta.url))

/** What the application is started with. */
export type Environment = Readonly<Record<string, string>>

/** A page made into an application. */
export interface Project {
  readonly folder: string
  /** Variables that the shared page says are needed. */
  readonly variables: readonly string[]
  start(port: number, env: Environment): Promise<Running>
}

/** Writes, checks and builds the project of a page. @throws Error with what the compiler or the builder says */
export async function makeProject(guide: Guide): Promise<Project> {
  const folder = join(workshopOf(guide), guide.page)
  const shared = extract(await readFile(join(pages, "README.md"), "utf8")).blocks
  const { blocks: own, commands } = extract(await readFile(join(pages, `${guide.page}.md`), "utf8"))
  await writeFiles(folder, { ...guide.scaffold, ...(guide.auth && { [guide.auth]: codeOf(shared, "auth.ts") }) })
  await writeFiles(folder, Object.fromEntries(own.map(({ file, code }) => [file, code])))
  const beginning = commands.find((line) => line.startsWith("npm init "))
  if (beginning !== undefined) await execute("sh", ["-c", beginning], { cwd: folder })
  await check(guide, { folder, shared })
  if (guide.build)
    await execute(programOf(guide.runtime === "node24" ? "node24" : "node"), guide.build, { cwd: folder, env: quiet })
  const variables = shared.filter(({ file }) => file === ".env").flatMap(variablesOf)
  return {
    folder,
    variables,
    start: async (port, env) => {
      if (guide.runtime === "workerd") await configureWorker({ folder, env })
      return start({ command: serverOf(guide, port), cwd: folder, env, port })
    },
  }
}

const quiet = { NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1", CI: "true" }

function codeOf(blocks: readonly Block[], file: string): string {
  const found = blocks.find((block) => block.file === file)
  if (!found) throw new Error(`Expected a block named ${file} on the page all frameworks share.`)
  return found.code
}

/** Writes the files of a project, with the folders they stand in. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), text)
  }
}

/** The compiler is that of the fixture; what it emits, if anything, is what runs. */
async function check(
  { compiler }: Guide,
  { folder, shared }: { folder: string; shared: readonly Block[] },
): Promise<void> {
  const printed: { compilerOptions: object } = JSON.parse(codeOf(shared, "tsconfig.json"))
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    noUnusedLocals: true,
    ...(compiler ?? printed.compilerOptions),
  }
  const exclude = ["dist", "build", ".next", ".react-router", "node_modules"]
  await writeFiles(folder, { "tsconfig.json": JSON.stringify({ compilerOptions, exclude }) })
  await execute(process.execPath, [scriptOf("typescript/bin/tsc")], { cwd: folder })
}

/** A worker with the date and flags the page names, and its bindings. */
async function configureWorker({ folder, env }: { folder: string; env: Environment }): Promise<void> {
  const said = JSON.parse(await readFile(join(folder, "wrangler.jsonc"), "utf8")) as {
    compatibility_date: string
    compatibility_flags?: readonly string[]
  }
  const flags = said.compatibility_flags ?? []
  const worker: Worker = { name: "main", file: "worker.mjs", date: said.compatibility_date, flags, texts: env }
  await writeFiles(folder, { "config.capnp": workerdConfig([worker]) })
}
