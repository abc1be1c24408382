/** Objects of classes whose members are shared: small in memory, and twice as long as text with each level. */
class Pair {
  readonly a: unknown
  readonly b: unknown
  constructor(both: unknown) {
    this.a = both
    this.b = both
  }
}

/** Pairs of pairs, with one value at the end of each of the 2^`levels` ways. */
export const pairs = (levels: number, inside: unknown): unknown =>
  levels === 0 ? inside : new Pair(pairs(levels - 1, inside))
