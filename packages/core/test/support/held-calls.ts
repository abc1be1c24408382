/** A store whose calls can be held back, so that another request overtakes the one that made them. */
import type { Adapter } from "../../src/types/adapter.js"

type Call = (...given: unknown[]) => unknown

/** A request that waits in a call of the store. */
export interface Held<T> {
  /** Lets the call through, and resolves to what the request came to. */
  finish(): Promise<T>
}

/** The store, and how to hold the next call of an operation back. */
export function holdingCalls(adapter: Adapter) {
  let waiting: { readonly operation: string; readonly reached: () => void; readonly let: Promise<void> } | undefined
  const pass = (operation: string): Promise<void> | undefined => {
    if (waiting?.operation !== operation) return undefined
    const { reached, let: gate } = waiting
    waiting = undefined
    reached()
    return gate
  }
  async function hold<T>(operation: keyof Adapter, request: () => Promise<T>): Promise<Held<T>> {
    const [gate, open] = signal()
    const [isThere, reached] = signal()
    waiting = { operation, reached, let: gate }
    const outcome = request()
    await isThere
    return {
      finish: () => {
        open()
        return outcome
      },
    }
  }
  return { adapter: passing(adapter, pass), hold }
}

/** A store whose calls wait for what `pass` answers, also within transactions. */
export function passing<Store extends object>(
  store: Store,
  pass: (operation: string) => Promise<void> | undefined,
): Store {
  return new Proxy(store, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver)
      if (typeof call !== "function") return call
      if (name === "transaction")
        return (work: (inner: Adapter) => unknown) => call.call(target, (inner: Adapter) => work(passing(inner, pass)))
      return async (...given: unknown[]) => {
        const waits = pass(String(name))
        if (waits) await waits
        return (call as Call).apply(target, given)
      }
    },
  })
}

function signal(): readonly [Promise<void>, () => void] {
  let raise = (): void => {}
  const raised = new Promise<void>((resolve) => {
    raise = resolve
  })
  return [raised, () => raise()]
}
