/** A project in a temporary folder, with the core and the SQL adapter installed in it, and the command line run in it. */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll } from "vitest"
import { bundle } from "../../../sql-adapter/test/support/bundle.js"
import type { Command } from "../../src/command.js"
import { importTool } from "../../src/installed.js"
import { runProgram } from "../../src/program.js"
import { systemFiles } from "../../src/system-world.js"
import type { Files, World } from "../../src/world.js"

/** What a run came to. */
export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** What a test says about the world of a run. */
export interface Surroundings {
  readonly env?: Record<string, string>
  /** Answers to questions, in order; without them nobody can be asked. */
  readonly answers?: readonly string[]
  readonly isColoured?: boolean
  readonly fetch?: typeof globalThis.fetch
  readonly cwd?: string
  readonly files?: Files
  /** In place of the commands of the program. */
  readonly commands?: readonly Command[]
  /** What happens before the program is asked to stop; it sees what was printed. */
  readonly meanwhile?: (out: () => string) => Promise<void>
}

/** The project. */
export interface Project {
  path(...parts: string[]): string
  write(name: string, content: string): string
  read(name: string): string
  /** Runs the command line in this process. */
  run(args: readonly string[], surroundings?: Surroundings): Promise<Outcome>
  /** Runs the command line as a process of its own. */
  spawn(args: readonly string[], env?: Record<string, string>, cwd?: string): Promise<Outcome>
  /** Runs a module with Node. */
  start(module: string, env?: Record<string, string>, cwd?: string): Promise<Outcome>
}

const source = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** What the command line depends on: it is left as it was published. */
const libraries = ["commander", "dotenv", "dotenv-expand", "jiti"]

/** Runs the program in this process, in a folder. */
export async function runIn(
  folder: string,
  args: readonly string[],
  surroundings: Surroundings = {},
): Promise<Outcome> {
  const { env = {}, answers, isColoured = false, fetch = globalThis.fetch, cwd = folder, meanwhile } = surroundings
  const out: string[] = []
  const err: string[] = []
  const left = [...(answers ?? [])]
  const filled: string[] = []
  const world: World = {
    version: "1.2.3",
    cwd,
    env,
    files: surroundings.files ?? systemFiles,
    fetch,
    now: () => new Date(),
    // The alias of the test runner leads to the sources.
    importTool: async (name) => {
      if (name === "@latchkey/testing") return import("@latchkey/testing")
      return name === "@latchkey/adapter-contract" ? import("@latchkey/adapter-contract") : importTool(cwd, name)
    },
    stopped: async () => meanwhile?.(() => out.join("")),
    fillEnvironment(values) {
      for (const [name, value] of Object.entries(values)) {
        if (process.env[name] !== undefined || value === undefined) continue
        process.env[name] = value
        filled.push(name)
      }
    },
    terminal: {
      out: (text) => void out.push(text),
      err: (text) => void err.push(text),
      colours: { out: isColoured, err: isColoured },
      ...(answers && {
        ask: async (question: string) => {
          err.push(question)
          return left.shift() ?? ""
        },
      }),
    },
  }
  const code = await runProgram(args, world, surroundings.commands)
  for (const name of filled) delete process.env[name]
  return { code, out: out.join(""), err: err.join("") }
}

/** Further modules are installed as they are named: `at-start` is `src/at-start.ts`. */
async function install(folder: string, name: string, entry: string, further: readonly string[] = []): Promise<void> {
  const home = join(folder, "node_modules", name)
  mkdirSync(join(home, "dist"), { recursive: true })
  const others = further.map((module) => [`./${module}`, `./dist/${module}.js`])
  const exports = { ".": "./dist/main.js", ...Object.fromEntries(others) }
  writeFileSync(join(home, "package.json"), JSON.stringify({ name, version: "1.2.3", type: "module", exports }))
  await bundle(source(entry), join(home, "dist", "main.js"), libraries)
  for (const module of further) {
    await bundle(join(dirname(source(entry)), `${module}.ts`), join(home, "dist", `${module}.js`), libraries)
  }
}

function start(args: readonly string[], { cwd, env }: { cwd: string; env: Record<string, string> }): Promise<Outcome> {
  const options = { cwd, timeout: 20_000, env: { PATH: process.env.PATH ?? "", ...env } }
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, out, err) => {
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : -1, out, err })
    })
  })
}

/** Makes the project before the tests of the file and removes it afterwards. */
export function useProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-cli-"))
  const program = join(folder, "node_modules", "@latchkey/cli", "dist", "main.js")
  beforeAll(async () => {
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    await install(folder, "@latchkey/cli", "cli/src/latchkey.ts", ["at-start"])
    for (const name of libraries) {
      symlinkSync(source(`../node_modules/${name}`), join(folder, "node_modules", name))
    }
    // A copy of its own beside the one that the command line brings.
    await install(folder, "@latchkey/core", "core/src/index.ts")
    await install(folder, "@latchkey/sql-adapter", "sql-adapter/src/index.ts")
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    path: (...parts) => join(folder, ...parts),
    write(name, content) {
      const file = join(folder, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    read: (name) => readFileSync(join(folder, name), "utf8"),
    run: (args, surroundings) => runIn(folder, args, surroundings),
    spawn: (args, env = {}, cwd = folder) => start([program, ...args], { cwd, env }),
    start: (module, env = {}, cwd = folder) => start([module], { cwd, env }),
  }
}
