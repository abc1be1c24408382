/** Requests that overtake each other: each runs in a lane, and is held at the calls of the store that are named. */
import { AsyncLocalStorage } from "node:async_hooks"
import type { Adapter } from "../../src/types/adapter.js"

type Call = (...given: unknown[]) => unknown

/** A request under way. `holdAt`: how many calls of the store are let through before it waits. */
class Lane {
  private calls = 0
  private readonly holdAt: number
  private open = (): void => {}
  private reached = (): void => {}
  private readonly gate = new Promise<void>((resolve) => (this.open = resolve))
  /** Resolves when the request waits. */
  readonly isWaiting = new Promise<void>((resolve) => (this.reached = resolve))

  constructor(holdAt: number) {
    this.holdAt = holdAt
  }

  async pass(): Promise<void> {
    if (this.calls++ !== this.holdAt) return
    this.reached()
    await this.gate
  }

  release(): void {
    this.open()
  }
}

/** Milliseconds after which a request counts as one that waits for the other. */
const stuck = 150

/** An adapter whose calls stop where the lane of their request says so. */
export function inLanes(adapter: Adapter) {
  const lanes = new AsyncLocalStorage<Lane>()
  const wrap = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name, receiver) {
        const call: unknown = Reflect.get(target, name, receiver)
        if (typeof call !== "function") return call
        if (name === "transaction")
          return (work: (inner: Adapter) => unknown) => call.call(target, (inner: Adapter) => work(wrap(inner)))
        return async (...given: unknown[]) => {
          await lanes.getStore()?.pass()
          return (call as Call).apply(target, given)
        }
      },
    })
  /**
   * Runs one request up to a call of the store, then the other up to one of its own, then the first to its end, then the
   * other. Where the second waits for the first, the first goes on.
   */
  async function interleave(
    first: readonly [() => Promise<unknown>, number],
    second: readonly [() => Promise<unknown>, number],
  ): Promise<void> {
    const [a, b] = [new Lane(first[1]), new Lane(second[1])]
    const one = lanes.run(a, first[0])
    await Promise.race([one, a.isWaiting])
    const other = lanes.run(b, second[0])
    const late = new Promise<void>((resolve) => setTimeout(resolve, stuck).unref())
    await Promise.race([other, b.isWaiting, late])
    a.release()
    await Promise.race([one, new Promise<void>((resolve) => setTimeout(resolve, stuck).unref())])
    b.release()
    await Promise.all([one, other])
  }
  return { adapter: wrap(adapter), wrap, interleave }
}
