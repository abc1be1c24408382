/** A store in which one request stops after a number of its calls, and makes room for another. */
import { AsyncLocalStorage } from "node:async_hooks"
import type { Adapter } from "../../src/types/adapter.js"

/** The calls that are left to a request until it waits. */
interface Counted {
  left: number
  readonly reached: () => void
  readonly go: Promise<void>
}

/** Where two requests stop: after how many calls of the store. A transaction is one call. */
export interface Steps {
  readonly first: number
  /** @default the second one runs to its end */
  readonly second?: number
}

type Request = () => Promise<unknown>

/** The store, and how two requests cross in it. */
export function steppedCalls(adapter: Adapter) {
  const current = new AsyncLocalStorage<Counted>()
  const stepped = new Proxy(adapter, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver)
      if (typeof call !== "function") return call
      return async (...given: unknown[]) => {
        const answer: unknown = await call.apply(target, given)
        const counted = current.getStore()
        if (counted && --counted.left === 0) {
          counted.reached()
          await counted.go
        }
        return answer
      }
    },
  })

  /** Resolves once the request waits, or has ended. */
  async function start(request: Request, step: number) {
    const [reached, there] = signal()
    const [open, go] = signal()
    const outcome = current.run({ left: step, reached, go }, request)
    const isHeld = await Promise.race([there.then(() => true), outcome.then(() => false)])
    const finish = (): Promise<unknown> => {
      open()
      return outcome
    }
    return { isHeld, finish }
  }

  /** The first request stops, the second one stops or ends, the first one ends, the second one ends. Which of them had so many calls? */
  async function cross(one: Request, other: Request, { first, second = Number.POSITIVE_INFINITY }: Steps) {
    const begun = await start(one, first)
    const met = await start(other, second)
    await begun.finish()
    await met.finish()
    return { first: begun.isHeld, second: met.isHeld }
  }

  return { adapter: stepped, cross }
}

function signal(): readonly [() => void, Promise<void>] {
  let raise = (): void => {}
  const raised = new Promise<void>((resolve) => {
    raise = resolve
  })
  return [() => raise(), raised]
}
