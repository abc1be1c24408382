/** Fewer cases of a matrix with the same proof: most defects need one or two of its values, hardly ever three at once. */

/** The values of one case, by the name of their dimension. */
export type Values = Readonly<Record<string, string | number | boolean>>

/**
 * Chooses cases so that any two values that stand together in some case of the matrix stand together in a chosen one.
 * The same matrix gives the same choice.
 */
export function pairwise<T>(matrix: readonly T[], valuesOf: (given: T) => Values): readonly T[] {
  const pairs = new Map(matrix.map((given) => [given, pairsOf(valuesOf(given))]))
  const missing = new Set([...pairs.values()].flat())
  const chosen: T[] = []
  const added = (given: T): number => (pairs.get(given) ?? []).filter((pair) => missing.has(pair)).length
  let open = matrix
  while (missing.size > 0) {
    const best = open.reduce((one, other) => (added(other) > added(one) ? other : one))
    for (const pair of pairs.get(best) ?? []) missing.delete(pair)
    chosen.push(best)
    open = open.filter((given) => added(given) > 0)
  }
  return chosen
}

function pairsOf(values: Values): readonly string[] {
  const named = Object.entries(values).map(([name, value]) => `${name}: ${value}`)
  return named.flatMap((one, index) => named.slice(index + 1).map((other) => `${one}, ${other}`))
}

/** The whole matrix where `LATCHKEY_MATRICES` is `full`, as `npm run test:rest` sets it; else its pairs. */
export function casesOfMatrix<T>(matrix: readonly T[], valuesOf: (given: T) => Values): readonly T[] {
  return process.env["LATCHKEY_MATRICES"] === "full" ? matrix : pairwise(matrix, valuesOf)
}
