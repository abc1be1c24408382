/** Sources as `latchkey from-authjs` reads them: comments, imports, and how long that takes. */
import { describe, expect, it } from "vitest"
import { referencesIn, withoutComments } from "../src/from-authjs/source-text.js"

describe("reading sources", () => {
  it.each([
    ["comments of markup without an end", "<!--"],
    ["comments without an end", "/* "],
    ["escaped quotes", '\\"'],
    ["escaped backticks", "\\`"],
    ["words that begin an import", "import "],
    ["exports of functions", "export const a=()=>b\n"],
    ["braces of an import", "{", "import ", ' from "x"'],
    ["spaces of an import", " ", "import ", ";"],
    ["spaces in a list of an import", " ", "import { a", 'b } from "x"'],
  ])("takes time that grows with the text alone: %s", (_what, piece, before = "", after = "") => {
    const text = before + piece.repeat(Math.ceil(400_000 / piece.length)) + after
    const start = performance.now()
    referencesIn(withoutComments(text))
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  it.each([
    ['a = "/*"; b = 1 /* x\ny */ + 2', 'a = "/*"; b = 1     \n     + 2'],
    ["<p>It's</p> // not\n<!-- x -->", "<p>It's</p>       \n          "],
    ["`a // \\` ` // b", "`a // \\` `     "],
    ["`a\\\n// b`", "`a\\\n// b`"],
    ["'a\\\n// b'", "'a\\\n     "],
    ["/*/ a */ b /* c", "         b /* c"],
  ])("finds comments: %j", (text, expected) => {
    expect(withoutComments(text)).toBe(expected)
  })

  it("finds what is imported after what only looks like it", () => {
    const text = `export const a = () => import.meta
import b, { type C, d as e, type as f } from "one"
export * as g from "two"
import "three"
const h = require("four"), i = await import( "five" )
export type { J } from "six"
`
    expect(referencesIn(text).map(({ specifier, names, isOfTypes }) => [specifier, names, isOfTypes])).toEqual([
      ["one", ["C", "d", "type"], false],
      ["two", [], false],
      ["three", [], false],
      ["four", [], false],
      ["five", [], false],
      ["six", ["J"], true],
    ])
  })
})
