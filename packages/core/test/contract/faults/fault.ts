/** A faulty adapter: what is wrong with it, and the sentences of the contract that must find it out. */
import { memoryAdapter } from "@latchkey/core/memory"
import type { Adapter } from "../../../src/types/adapter.js"

export type TotalAdapter = Required<Adapter>

export interface Fault {
  /** What the adapter does wrong. */
  readonly fault: string
  /** Names of the cases that must fail. */
  readonly caughtBy: readonly string[]
  readonly make: () => TotalAdapter
}

/** The memory adapter with some operations replaced. */
export function faulty(
  fault: string,
  caughtBy: readonly string[],
  spoil: (good: TotalAdapter) => Partial<Adapter>,
): Fault {
  return {
    fault,
    caughtBy,
    make() {
      const good = memoryAdapter()
      return { ...good, ...spoil(good) } as TotalAdapter
    },
  }
}

/** Lets everybody else go first. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))

/** Refuses every call that comes while another is on its way. */
export function oneAtATime<A extends unknown[], R>(
  operation: (...args: A) => R | PromiseLike<R>,
): (...args: A) => Promise<R> {
  let busy = false
  return async (...args) => {
    if (busy) throw new Error("busy")
    busy = true
    try {
      await pause()
      return await operation(...args)
    } finally {
      busy = false
    }
  }
}
