/** Fewer cases, the same pairs. */
import { describe, expect, it } from "vitest"
import { pairwise } from "./pairwise.js"

const matrix = [1, 2, 3].flatMap((a) =>
  ["x", "y", "z"].flatMap((b) => [true, false].flatMap((c) => [4, 5].map((d) => ({ a, b, c, d })))),
)

function pairsIn(rows: readonly Readonly<Record<string, unknown>>[]): ReadonlySet<string> {
  const pairs = rows.flatMap((row) =>
    Object.entries(row).flatMap(([one, value], index, all) =>
      all.slice(index + 1).map(([other, second]) => `${one}=${value} ${other}=${second}`),
    ),
  )
  return new Set(pairs)
}

describe("pairwise", () => {
  it("keeps every pair of values in far fewer rows", () => {
    const chosen = pairwise(matrix, (given) => given)
    expect(pairsIn(chosen)).toEqual(pairsIn(matrix))
    expect(chosen.length).toBeLessThan(matrix.length / 3)
  })

  it("chooses only rows of the matrix: what cannot stand together is not brought together", () => {
    const possible = matrix.filter(({ a, b }) => !(a === 1 && b === "x"))
    const chosen = pairwise(possible, (given) => given)
    expect(possible).toEqual(expect.arrayContaining([...chosen]))
    expect(pairsIn(chosen)).toEqual(pairsIn(possible))
  })

  it("chooses the same rows each time", () => {
    expect(pairwise(matrix, (given) => given)).toEqual(pairwise(structuredClone(matrix), (given) => given))
  })

  it("chooses nothing from nothing", () => {
    expect(pairwise([], () => ({}))).toEqual([])
  })
})
