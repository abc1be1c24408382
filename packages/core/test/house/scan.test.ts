/** The scans find what they look for, and nothing else. */
import { describe, expect, it } from "vitest"
import { moduleState } from "./module-state.js"
import { accessesMatching, clockReadings, parse, textRuns, textsMatching, usesOf } from "./scan.js"

const count = (scan: (file: ReturnType<typeof parse>) => readonly string[], text: string): number =>
  scan(parse("x.ts", text)).length

describe("the clock", () => {
  it.each([
    "Date.now()",
    "new Date()",
    "new Date",
    "Date()",
    "performance.now()",
    "new globalThis.Date()",
    "const now = Date.now",
    "f(() => new Date())",
  ])("is read by %s", (text) => {
    expect(count(clockReadings, text)).toBe(1)
  })

  it.each([
    "new Date(0)",
    "new Date(seconds * 1000)",
    "Date.parse(text)",
    "// Date.now()",
    '"Date.now()"',
    "let a: Date",
    "a.now()",
  ])("is not read by %s", (text) => {
    expect(count(clockReadings, text)).toBe(0)
  })
})

describe("a name", () => {
  it.each(["console.log(1)", "globalThis.console.log(1)", "const { log } = console", "f(console)", "x = { console }"])(
    "is used in %s",
    (text) => {
      expect(count((file) => usesOf(file, "console"), text)).toBe(1)
    },
  )

  it.each([
    "// console",
    '"console"',
    "a.console",
    "({ console: 1 })",
    "interface A { console: string }",
    "let a: console",
  ])("is not used in %s", (text) => {
    expect(count((file) => usesOf(file, "console"), text)).toBe(0)
  })
})

describe("text run as code", () => {
  it.each(["eval('1')", "new Function('a')", "Function('a')", "globalThis.eval('1')"])("is %s", (text) => {
    expect(count(textRuns, text)).toBe(1)
  })

  it.each(["a instanceof Function", "let a: Function", "evaluate('1')"])("is not %s", (text) => {
    expect(count(textRuns, text)).toBe(0)
  })
})

it.each([
  ['headers.append("Set-Cookie", a)', 1],
  ["headers.append(`set-cookie`, a)", 1],
  ["// Set-Cookie", 0],
  ['"no Set-Cookie here"', 0],
])("counts the header's name in %s: %i", (text, expected) => {
  expect(count((file) => textsMatching(file, /^set-cookie$/i), text)).toBe(expected)
})

it("finds a property by its whole path", () => {
  expect(count((file) => accessesMatching(file, /^Math\.random$/), "Math.random() + Math.min(1)")).toBe(1)
})

describe("state at module level", () => {
  it.each([
    "let a = 1",
    "var a = 1",
    "const a = new Map()",
    "export const a: Map<string, string> = new Map()",
    "const a = new WeakMap()",
    "const a = new Set<string>()",
    "const a = new Array(3)",
    "const a = /x/g; function f(t) { return a.test(t) }",
    "const a = {}; function f() { a.x = 1 }",
    "const a = {}; function f(k) { a[k] = 1 }",
    "const a = []; function f() { a.push(1) }",
    "const a = {}; function f() { delete a.b.c }",
    "const a = { n: 0 }; function f() { a.n++ }",
    "const a = createKeyCache(9)",
    "class A { static seen = new Map() }",
    "export const a: ReadonlySet<string> = new Set(); function f() { (a as Set<string>).add('x') }",
  ])("is found in: %s", (text) => {
    expect(count(moduleState, text)).toBeGreaterThan(0)
  })

  it.each([
    "const a: ReadonlySet<string> = new Set(['x'])",
    "class A { seen = new Map() }",
    "const a: ReadonlyMap<string, string> = new Map()",
    "const a = /x/g; const b = (t: string) => t.replace(a, '')",
    "const a = /x/; const b = (t: string) => a.test(t)",
    "const a = { b: 1 } as const",
    "function f() { let a = 1; a++; const m = new Map(); m.set(1, 2) }",
    "const a = []; function f(a) { a.push(1) }",
    "const a = []; function f() { const a = []; a.push(1) }",
    "const a = []; function f() { for (const a of [[1]]) a.push(1) }",
    "const { a } = b; function f({ a }) { a.x = 1 }",
  ])("is not found in: %s", (text) => {
    expect(moduleState(parse("x.ts", text))).toEqual([])
  })
})
