import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"

/** An adapter in memory without some operations, in its transactions as well. */
export function withoutSome(without: readonly string[]): Adapter {
  const { transaction, ...adapter } = memoryAdapter()
  const reduced = (full: Adapter): Adapter =>
    Object.fromEntries(Object.entries(full).filter(([name]) => !without.includes(name)))
  return reduced({ ...adapter, transaction: (work) => transaction((inner) => work(reduced(inner))) })
}
