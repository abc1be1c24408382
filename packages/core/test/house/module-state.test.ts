/** State at module level is found where it is, and nowhere else. */
import { describe, expect, it } from "vitest"
import { moduleState } from "./module-state.js"
import { parse } from "./scan.js"

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
    expect(moduleState(parse("x.ts", text)).length).toBeGreaterThan(0)
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
