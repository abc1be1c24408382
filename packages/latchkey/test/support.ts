/** A project in a temporary folder, with the command line and the SQL adapter installed in it. */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll } from "vitest"
import { bundle } from "../../sql-adapter/test/support/bundle.js"

/** What a run came to. */
export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** The project. */
export interface Project {
  path(...parts: string[]): string
  write(name: string, content: string): string
  /** Runs the command line in the project. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Outcome>
}

const source = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

async function install(folder: string, name: string, entry: string): Promise<void> {
  const home = join(folder, "node_modules", name)
  mkdirSync(join(home, "dist"), { recursive: true })
  const manifest = { name, version: "1.2.3", type: "module", exports: { ".": "./dist/main.js" } }
  writeFileSync(join(home, "package.json"), JSON.stringify(manifest))
  await bundle(source(entry), join(home, "dist", "main.js"))
}

function start(folder: string, args: readonly string[], env: Record<string, string>): Promise<Outcome> {
  const program = join(folder, "node_modules", "latchkey", "dist", "main.js")
  const options = { cwd: folder, timeout: 20_000, env: { PATH: process.env.PATH ?? "", ...env } }
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : -1, out, err })
    })
  })
}

/** Makes the project before the tests of the file and removes it afterwards. */
export function useProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-cli-"))
  beforeAll(async () => {
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    await install(folder, "latchkey", "latchkey/src/latchkey.ts")
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
    run: (args, env = {}) => start(folder, args, env),
  }
}
