/** The code of concepts, first steps and smaller guides compiles as printed, under `strict`. */
import { writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import ts from "typescript"
import { beforeAll, describe, expect, it } from "vitest"
import { mistakesOf } from "./compiler.js"
import { checkedPages, emptyWorkshop, snippetsOf, workshopOf, writeSnippets } from "./snippets.js"

const workshop = workshopOf("snippets")
const pages = await checkedPages()

beforeAll(async () => {
  await emptyWorkshop(workshop)
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
    const folder = join(workshop, page.replace(/\.md$/, ""))
    await writeSnippets(folder, named)
    // Each project by itself: two of them may augment the same interface in different ways.
    const projects = new Map<string, string[]>()
    for (const file of ts.sys.readDirectory(folder, [".ts", ".tsx", ".js"])) {
      const project = relative(folder, file).split("/")[0] ?? ""
      projects.set(project, [...(projects.get(project) ?? []), file])
    }
    for (const files of projects.values())
      expect(mistakesOf([...files, join(workshop, "others.d.ts")], { workshop })).toEqual([])
  })
})
