/** The linter refuses in the core what is only allowed in one file, or in none. */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const top = fileURLToPath(new URL("../../", import.meta.url))

/** Lines that are refused everywhere in the core, and the rule that refuses them. */
const refused: readonly (readonly [line: string, rule: string])[] = [
  ["console.log(1)", "noConsole"],
  ["globalThis.console.log(1)", "plugin"],
  ["export const a = process", "noRestrictedGlobals"],
  ["export const a = globalThis.process", "plugin"],
  ["export const a = Deno", "noRestrictedGlobals"],
  ["export const a = Bun", "noRestrictedGlobals"],
  ["export const a = new AsyncLocalStorage()", "noRestrictedGlobals"],
  ["export const a = Math.random()", "plugin"],
  ['postMessage("x", "*")', "noRestrictedGlobals"],
  ['window.postMessage("x", "*")', "plugin"],
  ['eval("1")', "noGlobalEval"],
  ['export const a = new Function("a")', "plugin"],
  ['export const a = Function("a")', "plugin"],
  ["export const a = Date.now()", "plugin"],
  ["export const a = Date.now", "plugin"],
  ["export const a = new Date()", "plugin"],
  ["export const a = new Date", "plugin"],
  ["export const a = Date()", "plugin"],
  ["export const a = new globalThis.Date()", "plugin"],
  ["export const a = performance.now()", "plugin"],
  ['export const a = "Set-Cookie"', "plugin"],
  ["export const a = `set-cookie`", "plugin"],
  ["export default 1", "noDefaultExport"],
  [`export const a = [\n${"  1,\n".repeat(250)}]`, "noExcessiveLinesPerFile"],
  ["export function f(a: 1, b: 1, c: 1, d: 1): number[] {\n  return [a, b, c, d]\n}", "useMaxParams"],
]

/** Similar lines that are allowed. */
const accepted: readonly string[] = [
  "export const a = new Date(0)",
  'export const a = Date.parse("2026-01-01")',
  "export let a: Date",
  'export const a = "Date.now()"',
  'export const a = "no Set-Cookie here"',
  "export const a = Math.min(1)",
  "export const a = (b: unknown): boolean => b instanceof Function",
  "export const a = { console: 1, process: 2 }",
]

/** The files that may. */
const allowed: readonly (readonly [file: string, line: string])[] = [
  ["ports/logger.ts", "console.log(1)"],
  ["engine/pipeline.ts", "export const a = Date.now()"],
  ["jwt.ts", "export const a = Date.now()"],
  ["http/outgoing.ts", 'export const a = "Set-Cookie"'],
  ["context/some.test.ts", "export const a = Date.now()"],
]

// Math.random can be predicted, and postMessage may reach other origins.
const tags = ["threat:A-086", "threat:P7-02", "threat:B9-36", "threat:V3-18"]

describe("in the core, the linter", { tags }, () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "latchkey-lint-")))
  const rulesOf = new Map<string, string[]>()
  const pathOf = (name: string): string => `packages/core/src/${name}`

  beforeAll(() => {
    cpSync(join(top, "biome.json"), join(folder, "biome.json"))
    cpSync(join(top, "tools/lint"), join(folder, "tools/lint"), { recursive: true })
    const write = (name: string, text: string): void => {
      const path = join(folder, pathOf(name))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `${text}\n`)
    }
    for (const [index, [line]] of refused.entries()) write(`context/refused-${index}.ts`, line)
    for (const [index, line] of accepted.entries()) write(`context/accepted-${index}.ts`, line)
    for (const [file, line] of allowed) write(file, line)
    write("context/Some.ts", "export const a = 1")
    for (const { category, location } of diagnosticsOf(folder)) {
      rulesOf.set(location.path, [...(rulesOf.get(location.path) ?? []), category.split("/").at(-1) ?? ""])
    }
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(refused.map(([line, rule], index) => [line.split("\n")[0], rule, index] as const))(
    "refuses %s",
    (_, rule, index) => {
      expect(rulesOf.get(pathOf(`context/refused-${index}.ts`))).toContain(rule)
    },
  )

  it.each(accepted.map((line, index) => [line, index] as const))("accepts %s", (_, index) => {
    expect(rulesOf.get(pathOf(`context/accepted-${index}.ts`))).toBeUndefined()
  })

  it.each(allowed)("lets %s write %s", (file) => {
    expect(rulesOf.get(pathOf(file))).toBeUndefined()
  })

  it("wants names of files in kebab-case", () => {
    expect(rulesOf.get(pathOf("context/Some.ts"))).toEqual(["useFilenamingConvention"])
  })
})

interface Diagnostic {
  readonly category: string
  readonly location: { readonly path: string }
}

function diagnosticsOf(folder: string): readonly Diagnostic[] {
  const biome = join(top, "node_modules/.bin/biome")
  const args = ["lint", "--reporter=json", "--max-diagnostics=none", "packages"]
  try {
    return JSON.parse(execFileSync(biome, args, { cwd: folder, encoding: "utf8", stdio: "pipe" })).diagnostics
  } catch (error) {
    return JSON.parse((error as { stdout: string }).stdout).diagnostics
  }
}
