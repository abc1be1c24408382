/** A store whose operations are written to the debug log, with the time each took. */
import { settlements } from "./rows.js"
import type { Store } from "./store.js"

/** The outcome of an operation. Its arguments and its answer are never logged. */
export interface StoreCall {
  readonly operation: string
  readonly milliseconds: number
  readonly outcome: "found" | "nothing" | "failed"
}

/** Who hears of each call, and a clock in milliseconds. */
export interface Watch {
  readonly tell: (call: StoreCall) => void
  readonly clock: () => number
}

/** The same store, watched; inside transactions as well. */
export function watchStore(store: Store, watch: Watch): Store {
  const { tell, clock } = watch
  const watched: Record<string, unknown> = { ...store }
  for (const operation of Object.keys(settlements) as (keyof typeof settlements & keyof Store)[]) {
    const method = store[operation] as (...args: unknown[]) => Promise<unknown>
    watched[operation] = async (...args: unknown[]): Promise<unknown> => {
      const begun = clock()
      const end = (outcome: StoreCall["outcome"]): void =>
        tell({ operation, milliseconds: Math.round(clock() - begun), outcome })
      try {
        const answer = await method(...args)
        end(answer === null ? "nothing" : "found")
        return answer
      } catch (error) {
        end("failed")
        throw error
      }
    }
  }
  watched.transaction = <T>(work: (inner: Store) => Promise<T>): Promise<T> =>
    store.transaction((inner) => work(watchStore(inner, watch)))
  return Object.freeze(watched) as unknown as Store
}
