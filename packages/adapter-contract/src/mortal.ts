/** An adapter whose process can die: from one moment on every call is refused, because a dead process reaches no store. */
import type { AccountKey, Adapter } from "@latchkey/core/adapters"

/** The calls to the store over all runs of the process, to be counted at the end. */
export interface Ledger {
  readonly users: Set<string>
  readonly accounts: Map<string, AccountKey>
}

/** A new ledger. */
export const emptyLedger = (): Ledger => ({ users: new Set(), accounts: new Map() })

/** One run of a process: its adapter, and when it ends. */
export interface Life {
  readonly adapter: Adapter
  /** Calls so far; to begin and to end a transaction are calls as well. */
  calls(): number
  isOver(): boolean
  /** Ends the process after so many more calls. */
  dieAfter(calls: number): void
}

/** Options of one run. */
export interface LifeOptions {
  /** Operations that are hidden from the engine. */
  readonly hidden: readonly (keyof Adapter)[]
  readonly ledger: Ledger
}

type Method = (...args: unknown[]) => unknown

/** The process is gone. */
export class Died extends Error {
  constructor() {
    super("the process has ended")
  }
}

/** Starts a simulated process on a store. It runs until `end` is called. */
export function beginLife(store: Adapter, { hidden, ledger }: LifeOptions): Life {
  let count = 0
  let last = Number.POSITIVE_INFINITY
  let isOver = false
  const step = (): void => {
    if (isOver || count >= last) {
      isOver = true
      throw new Died()
    }
    count += 1
  }
  const call = async (name: string, method: Method, args: unknown[]): Promise<unknown> => {
    step()
    if (name !== "transaction") {
      const answer = await method(...args)
      note(ledger, { name, args, answer })
      return answer
    }
    const [work] = args as [(open: Adapter) => Promise<unknown>]
    return method(async (open: Adapter) => {
      const result = await work(wrap(open))
      step()
      return result
    })
  }
  const wrap = (adapter: Adapter): Adapter =>
    new Proxy(adapter, {
      get(target, name) {
        if (typeof name !== "string" || (hidden as readonly string[]).includes(name)) return undefined
        const method: unknown = Reflect.get(target, name, target)
        if (typeof method !== "function") return method
        return (...args: unknown[]) => call(name, (...given) => Reflect.apply(method, target, given), args)
      },
    })
  return {
    adapter: wrap(store),
    calls: () => count,
    isOver: () => isOver,
    dieAfter(calls) {
      count = 0
      last = calls
    },
  }
}

interface Call {
  readonly name: string
  readonly args: readonly unknown[]
  readonly answer: unknown
}

function note({ users, accounts }: Ledger, { name, args, answer }: Call): void {
  if (name === "createUser" || name === "createUserWithAccount") {
    users.add(String((answer as { id?: unknown } | null)?.id))
  }
  const account = name === "linkAccount" ? args[0] : name === "createUserWithAccount" ? args[1] : undefined
  if (account === undefined) return
  const { provider, providerAccountId } = account as AccountKey
  accounts.set(JSON.stringify([provider, providerAccountId]), { provider, providerAccountId })
}
