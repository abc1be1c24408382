/** The reference adapter: it has every operation, and its data are lost when the process ends. For tests, demonstrations and prototypes. */
import type { Adapter } from "../types/adapter.js"
import { createMemory, createOperations, type Memory, type Operations } from "./operations.js"

type Operation = (...args: never[]) => unknown

/** What every level works on. The operations know no level, so that they are made once. */
interface Ground {
  readonly memory: Memory
  readonly operations: readonly (readonly [name: string, operation: Operation])[]
}

/** One level of transactions: level 0 is what the application holds, each `transaction` opens the next. */
function level(ground: Ground, depth: number, isOpen: () => boolean): Required<Adapter> {
  const { memory } = ground
  const turns = createTurns()
  const settle = (): void => {
    if (depth === 0) memory.journal.clear()
  }
  const mustBeOpen = (): void => {
    if (!isOpen()) throw new Error("This transaction has ended; its adapter cannot be used any more.")
  }
  const guarded =
    (operation: Operation) =>
    (...args: never[]) =>
      turns.together(() => {
        mustBeOpen()
        const result = operation(...args)
        settle()
        return result
      })
  const operations: Record<string, Operation> = {}
  for (const [name, operation] of ground.operations) operations[name] = guarded(operation)
  return Object.assign(operations as unknown as Operations, {
    emptyEmail: true,
    comparesExactly: true,
    transaction: (work) =>
      turns.alone(async () => {
        mustBeOpen()
        const savepoint = memory.journal.savepoint()
        let open = true
        try {
          return await work(level(ground, depth + 1, () => open && isOpen()))
        } catch (error) {
          memory.journal.rollbackTo(savepoint)
          throw error
        } finally {
          open = false
          settle()
        }
      }),
  } satisfies Pick<Adapter, "comparesExactly" | "emptyEmail" | "transaction">)
}

/**
 * Makes an adapter that keeps everything in memory: all operations, unique keys, atomic consumption of
 * verification tokens, and transactions that are serialised and roll back.
 *
 * Inside `transaction`, use the adapter that is handed in: the outer one waits until the transaction has ended.
 *
 * @example
 * ```ts
 * import { memoryAdapter } from "@latchkey/core/memory"
 *
 * export const adapter = memoryAdapter()
 * ```
 */
export function memoryAdapter(): Required<Adapter> {
  const memory = createMemory()
  return level({ memory, operations: Object.entries(createOperations(memory)) }, 0, () => true)
}

/** A queue of calls and transactions on one store. */
function createTurns() {
  let busy: Promise<void> | undefined
  return {
    /** Runs as soon as no transaction is open. */
    async together<T>(work: () => T): Promise<T> {
      while (busy) await busy
      return work()
    },
    /** Runs alone: every other call waits until it has ended. */
    async alone<T>(work: () => Promise<T>): Promise<T> {
      while (busy) await busy
      let leave = (): void => {}
      busy = new Promise((resolve) => {
        leave = resolve
      })
      try {
        return await work()
      } finally {
        busy = undefined
        leave()
      }
    },
  }
}
