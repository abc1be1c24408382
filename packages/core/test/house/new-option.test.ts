/** A new option is its type and one row: two are added to a copy of the sources, and an endpoint that reads them is asked. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import ts from "typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../../../../", import.meta.url))

/** What a developer writes for two options, the second with a default; and in the file that reads them. */
const edits = [
  ["types/config.ts", "  secret?:", "  greeting?: string | undefined\n  secret?:"],
  ["types/config.ts", "        maxAge?:", "        pause?: number | undefined\n        maxAge?:"],
  ["config/options.ts", "  adapter: own", "  greeting: text,\n  adapter: own"],
  ["config/options.ts", '  "session.expose": own', '  "session.pause": seconds(0, 90),\n  "session.expose": own'],
  ["config/options.ts", "type DefaultedName = ", 'type DefaultedName = "session.pause" | '],
  [
    "actions/csrf.ts",
    "json({ csrfToken: token }",
    `json({ csrfToken: token, ...((greeting: string | undefined, pause: number) => ({ greeting, pause }))(
      context.settings.options.greeting, context.settings.options["session.pause"]) }`,
  ],
] as const

let copy: string
let createAuth: (config: object) => { handle(request: Request): Promise<Response>; problems(): readonly Error[] }

beforeAll(async () => {
  // Beside the sources, so that the libraries of the package are found.
  const folder = join(root, "packages/core/.tmp")
  mkdirSync(folder, { recursive: true })
  copy = mkdtempSync(join(folder, "new-option-"))
  cpSync(join(root, "packages/core/src"), copy, { recursive: true, filter: (path) => !/\.test(-d)?\.ts$/.test(path) })
  for (const [file, found, written] of edits) {
    const source = readFileSync(join(copy, file), "utf8")
    expect(source, `${file} has "${found}"`).toContain(found)
    writeFileSync(
      join(copy, file),
      source.replace(found, () => written),
    )
  }
  createAuth = (await import(pathToFileURL(join(copy, "index.ts")).href)).createAuth
}, 60_000)
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function authWith(config: object): ReturnType<typeof createAuth> {
  const logger = { error: () => undefined, warn: () => undefined }
  const secret = "a secret for tests with 32 chars or more"
  return createAuth({ providers: [], secret, logger, trustHost: true, ...config })
}

async function readBy(config: object): Promise<unknown> {
  const answer = await authWith(config).handle(new Request("https://app.test/auth/csrf"))
  const { csrfToken: _, ...options } = (await answer.json()) as Record<string, unknown>
  return options
}

const problemsOf = (config: object): readonly string[] =>
  authWith(config)
    .problems()
    .map(({ message }) => message)

describe("an option that is added", () => {
  it("reaches the code that reads it, with its default where it has one", async () => {
    expect(await readBy({ greeting: "hello", session: { pause: 5 } })).toEqual({ greeting: "hello", pause: 5 })
    expect(await readBy({})).toEqual({ pause: 90 })
  })

  it("is known by its name, and is refused where it is of another kind", () => {
    expect(problemsOf({ greeting: "hello", session: { pause: 0 } })).toEqual([])
    const [first, second] = problemsOf({ greeting: 5, session: { pause: -1 } })
    expect(first).toMatch(/^"greeting": expected a string, received 5\./)
    expect(second).toMatch(/^"session\.pause": expected a number of seconds from 0 to /)
  })

  it("is typed where it is written and where it is read", { timeout: 120_000 }, () => {
    const written = [
      'import { createAuth } from "./index.js"',
      'export const fit: unknown = createAuth({ providers: [], greeting: "hello", session: { pause: 1 } })',
      "export const wrong: unknown = createAuth({ providers: [], greeting: 5 })",
    ]
    const application = join(copy, "application.ts")
    writeFileSync(application, written.join("\n"))
    expect(errorsIn([application, "config/options.ts", "config/option-checks.ts", "actions/csrf.ts"])).toEqual([
      "application.ts:3",
    ])
  })
})

/** Where the compiler finds errors in some files of the copy. */
function errorsIn(files: readonly string[]): readonly string[] {
  const { config } = ts.readConfigFile(join(root, "tsconfig.base.json"), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, copy)
  const program = ts.createProgram(
    files.map((file) => join(copy, file.replace(copy, ""))),
    { ...options, composite: false, noEmit: true },
  )
  return program
    .getSourceFiles()
    .filter(({ fileName }) => files.some((file) => fileName.endsWith(file)))
    .flatMap((file) => program.getSemanticDiagnostics(file))
    .map(({ file, start = 0 }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1
      return `${file?.fileName.slice(copy.length + 1)}:${line}`
    })
}
