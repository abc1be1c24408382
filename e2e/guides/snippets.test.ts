/** The code of concepts, first steps and smaller guides compiles as printed, under `strict`. */
import { writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import ts from "typescript"
import { beforeAll, describe, expect, it } from "vitest"
import { checkedPages, emptyWorkshop, snippetsOf, workshop, writeSnippets } from "./snippets.js"

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  noUnusedLocals: true,
  allowJs: true,
  checkJs: false,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  jsx: ts.JsxEmit.ReactJSX,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: ["node"],
}

const pages = await checkedPages()

beforeAll(async () => {
  await emptyWorkshop()
  await writeFile(join(workshop, "package.json"), '{ "type": "module" }\n')
  // Installed by the suites that build an application of Next, and that run drivers.
  await writeFile(
    join(workshop, "others.d.ts"),
    `declare module "next/navigation" {
  export function redirect(path: string): never
}
declare module "@libsql/client"
declare module "@libsql/kysely-libsql"
declare module "kysely-d1"
interface D1Database {
  prepare(sql: string): { bind(...values: readonly unknown[]): object }
  batch(statements: readonly object[]): Promise<readonly { results: readonly object[] }[]>
}
`,
  )
})

describe.each(pages)("the code of %s", (page) => {
  it("names its files, and compiles", { timeout: 60_000 }, async () => {
    const { named, nameless } = await snippetsOf(page)
    expect(nameless, "lines of blocks that do not begin with the name of their file").toEqual([])
    await writeSnippets(page, named)
    const folder = join(workshop, page.replace(/\.md$/, ""))
    // Each project by itself: two of them may augment the same interface in different ways.
    const projects = new Map<string, string[]>()
    for (const file of ts.sys.readDirectory(folder, [".ts", ".tsx", ".js"])) {
      const project = relative(folder, file).split("/")[0] ?? ""
      projects.set(project, [...(projects.get(project) ?? []), file])
    }
    for (const files of projects.values()) expect(mistakesOf(files)).toEqual([])
  })
})

function mistakesOf(files: readonly string[]): string[] {
  const program = ts.createProgram([...files, join(workshop, "others.d.ts")], options)
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
    return `${relative(workshop, file?.fileName ?? "")}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`
  })
}
