/** The code in the README of the repository and of each package compiles as printed; the examples in JavaScript are checked as well. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { beforeAll, describe, expect, it } from "vitest"
import { mistakesOf } from "../e2e/guides/compiler.js"
import { emptyWorkshop, snippetsOf, workshopOf, writeSnippets } from "../e2e/guides/snippets.js"

const root = fileURLToPath(new URL("..", import.meta.url))
const workshop = workshopOf("readmes")
const packages = readdirSync(join(root, "packages")).filter((name) =>
  existsSync(join(root, "packages", name, "README.md")),
)

/** What the reader has already: files that an example imports and does not show. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "adapter-contract": {
    "my-adapter.d.ts": 'export declare const myAdapter: () => import("@latchkey/core/adapters").Adapter\n',
  },
  testing: {
    "app.d.ts": 'export declare const app: import("express").Express\n',
    "auth.d.ts": 'export declare const config: import("@latchkey/core").AuthConfig\n',
  },
}

/** Packages whose README shows commands alone. */
const withoutCode = new Set(["cli"])

beforeAll(() => emptyWorkshop(workshop))

describe.each(["the repository", ...packages])("the README of %s", (name) => {
  it("names the files of its code, which compiles", { timeout: 60_000 }, async () => {
    const page = name === "the repository" ? "README.md" : `packages/${name}/README.md`
    const { named, nameless } = await snippetsOf(page, root)
    expect(nameless, "lines of blocks that do not begin with the name of their file").toEqual([])
    expect(named.length > 0).toBe(!withoutCode.has(name))
    const place = join(workshop, name)
    await writeSnippets(place, named)
    const project = join(place, "1")
    for (const [file, text] of Object.entries(others[name] ?? {})) await writeFile(join(project, file), text)
    const files = ts.sys.readDirectory(place, [".ts", ".tsx", ".js"])
    expect(mistakesOf(files, { workshop, more: { checkJs: true, paths: { "@/*": [`${project}/*`] } } })).toEqual([])
  })
})

describe("the component in the README of sveltekit", () => {
  it("passes svelte-check", { timeout: 120_000 }, async () => {
    const page = await readFile(join(root, "packages/sveltekit/README.md"), "utf8")
    const components = [...page.matchAll(/^```svelte\n(.*?)^```$/gms)].map(([, code = ""]) => code)
    expect(components.length).toBe(1)
    const place = join(workshop, "components")
    await mkdir(place)
    for (const [index, code] of components.entries()) await writeFile(join(place, `Shown${index}.svelte`), code)
    const options = {
      strict: true,
      checkJs: true,
      module: "esnext",
      moduleResolution: "bundler",
      types: ["vite/client"],
    }
    await writeFile(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.svelte"] }))
    const command = [join(root, "node_modules/svelte-check/bin/svelte-check"), "--fail-on-warnings"]
    const where = ["--workspace", place, "--tsconfig", "./tsconfig.json"]
    const { stdout } = spawnSync(process.execPath, [...command, ...where], { encoding: "utf8" })
    expect(stdout).toContain("found 0 errors and 0 warnings")
  })
})
