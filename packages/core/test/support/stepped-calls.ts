/** A store that makes room for another request after a number of its calls. */
import type { Adapter } from "../../src/types/adapter.js"

/** The store, and how one request is interrupted by another after `step` calls; a transaction is one call. */
export function afterCall(adapter: Adapter, step: number) {
  let left = 0
  let other = async (): Promise<unknown> => undefined
  const counted = async (): Promise<void> => {
    if (left === 0) return
    left -= 1
    if (left === 0) await other()
  }
  const stepped = new Proxy(adapter, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver)
      if (typeof call !== "function") return call
      return async (...given: unknown[]) => {
        const answer: unknown = await call.apply(target, given)
        await counted()
        return answer
      }
    },
  })
  /** Runs a request, and the other one in its midst. `false`: it ended before, and the other one did not run. */
  async function interrupt(request: () => Promise<unknown>, by: () => Promise<unknown>): Promise<boolean> {
    left = step
    other = by
    await request()
    const isReached = left === 0
    left = 0
    return isReached
  }
  return { adapter: stepped, interrupt }
}
