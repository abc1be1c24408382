import { describe, expect, it } from "vitest"
import { entriesOf, idOf, joined, membersOf, textOf } from "./values.js"

const odd: readonly unknown[] = [undefined, null, "", "  ", true, Number.NaN, 1.5, 2 ** 60, {}, [], ["x"], () => "x"]

describe("an id", () => {
  it.each([
    [["a"], "a"],
    [[7], "7"],
    [[null, "", 7], "7"],
    [[undefined, "a", "b"], "a"],
  ])("of %j is %j", (candidates, id) => {
    expect(idOf(...candidates)).toBe(id)
  })

  it.each(odd.map((value) => [value]))("is empty for %s, so that the engine refuses it", (value) => {
    expect(idOf(value)).toBe("")
  })
})

describe("a text", () => {
  it.each([
    [["a", "b"], "a"],
    [[null, " ", "b"], "b"],
    [[5, {}], null],
  ])("of %j is %j", (candidates, text) => {
    expect(textOf(...candidates)).toBe(text)
  })

  it.each([
    [["Ada", "Byron"], "Ada Byron"],
    [["Ada", null, "", 5], "Ada"],
    [[undefined], null],
  ])("joined of %j is %j", (parts, text) => {
    expect(joined(...parts)).toBe(text)
  })
})

describe("entries and members", () => {
  it("are those of a list and of an object, and none of anything else", () => {
    expect(entriesOf([{ a: 1 }, null, "x"] as { a: number }[])).toEqual([{ a: 1 }])
    for (const value of [undefined, null, "x", 5, {}]) expect(entriesOf(value as never)).toEqual([])
    expect(membersOf({ a: 1 })).toEqual({ a: 1 })
    for (const value of [undefined, null, "x", 5]) expect(membersOf(value)).toEqual({})
  })
})
