/** Medians alone, for measurements that print tables of their own. */
import { compare } from "./harness/measure.mjs"

/**
 * Measures targets side by side in one run.
 * @param {Record<string, (turn: number) => unknown>} targets
 * @param {{ rounds?: number, milliseconds?: number }} options
 * @returns {Promise<Record<string, number>>} the median of microseconds per operation
 */
export async function sideBySide(targets, { rounds = 9, milliseconds = 120 } = {}) {
  const figures = await compare(targets, { rounds, milliseconds })
  return Object.fromEntries(Object.entries(figures).map(([name, { wall }]) => [name, wall]))
}
