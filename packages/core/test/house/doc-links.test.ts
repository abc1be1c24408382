/** What the reference of the documentation is made from links only to what it has a place for. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { expect, it } from "vitest"
import { deadLinks, ownSources, sourcesOf } from "./doc-links.js"

const root = fileURLToPath(new URL("../../../../", import.meta.url))

it("every {@link} of an exported docstring leads to something that is exported", () => {
  const folder = `${root}docs/.vitepress/api/`
  const files = readdirSync(folder).map((name) => [folder + name, readFileSync(folder + name, "utf8")] as const)
  const { config } = ts.readConfigFile(`${root}tsconfig.tests.json`, ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const given = { ...options, jsx: ts.JsxEmit.ReactJSX }
  const entries = sourcesOf(new Map(files))
  expect(entries.filter((entry) => !ts.sys.fileExists(entry))).toEqual([])
  expect(entries.length).toBeGreaterThan(15)
  expect(deadLinks({ entries, options: given, root, host: ownSources(given) })).toEqual([])
}, 60_000)

it.each([
  ["an export", "/** {@link other} */ export const one = 1\nexport const other = 2", []],
  ["an export of another entry", "/** {@link elsewhere} */ export const one = 1", []],
  ["a member", "export interface One {\n/** {@link b} */ a: 1\n/** {@link One.a} */ b: 2 }", []],
  ["an address", "/** {@link https://app.test} */ export const one = 1", []],
  ["nothing", "\n/** {@link nothing} */ export const one = 1", ["one.ts:2 {@link nothing}"]],
  ["what is not exported", "/** {@link own} */ export const one = 1\nconst own = 2", ["one.ts:1 {@link own}"]],
  ["nothing, of a member", "export interface One {\n/** See {@link no}. */ a: 1 }", ["one.ts:2 {@link no}"]],
  ["nothing, where nothing of it is published", "/** {@link no} */ const own = 2\nexport const one = 1", []],
])("tells links to %s", (_, text, expected) => {
  const texts: Record<string, string> = { "/one.ts": text, "/two.ts": "export const elsewhere = 3" }
  const usual = ts.createCompilerHost({})
  const host: ts.CompilerHost = {
    ...usual,
    fileExists: (path) => path in texts,
    readFile: (path) => texts[path],
    getSourceFile: (path, target) =>
      texts[path] === undefined ? undefined : ts.createSourceFile(path, texts[path], target, true),
  }
  expect(deadLinks({ entries: Object.keys(texts), options: {}, root: "/", host })).toEqual(expected)
})
