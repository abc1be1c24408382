/** A store that gives the number of the newest user to the next one once that user is gone, and may leave rows behind, as tables without foreign keys do. */
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter, AdapterAccount, AdapterAuthenticator } from "../../src/types/adapter.js"
import type { AdapterSession } from "../../src/types/session.js"

type Whole = ReturnType<typeof memoryAdapter>

interface Left {
  readonly accounts: readonly AdapterAccount[]
  readonly sessions: readonly AdapterSession[]
  readonly authenticators: readonly AdapterAuthenticator[]
}

/** What the store does. */
export interface CountingGiven {
  /** Rows stay when their user is deleted. */
  readonly leavesRows?: boolean
  /** Operations that it lacks. */
  readonly without?: readonly (keyof Adapter)[]
  /** Laid over the others. */
  readonly over?: (adapter: Adapter) => Partial<Adapter>
}

/** Numbers of users, from 1. */
export function countingAdapter({ leavesRows = false, without = [], over = () => ({}) }: CountingGiven = {}): Adapter {
  const memory = memoryAdapter()
  const left = new Map<string, Left>()
  const freeId = async (within: Whole): Promise<string> => {
    let id = 1
    while (await within.getUser(String(id))) id++
    return String(id)
  }
  const putBack = async (within: Whole, id: string): Promise<void> => {
    const { accounts = [], sessions = [], authenticators = [] } = left.get(id) ?? {}
    for (const account of accounts) await within.linkAccount(account)
    for (const session of sessions) await within.createSession(session)
    for (const authenticator of authenticators) await within.createAuthenticator(authenticator)
  }
  const counting = (within: Whole): Adapter => {
    const adapter: Adapter = {
      ...within,
      async createUser(user) {
        const id = await freeId(within)
        const made = await within.createUser({ ...user, id })
        await putBack(within, id)
        return made
      },
      async createUserWithAccount(user, ...rest) {
        const id = await freeId(within)
        const made = await within.createUserWithAccount({ ...user, id }, ...rest)
        await putBack(within, id)
        return made
      },
      async deleteUser(id) {
        const rows: Left = {
          accounts: await within.listAccountsByUserId(id),
          sessions: await within.listSessionsByUserId(id),
          authenticators: await within.listAuthenticatorsByUserId(id),
        }
        if (leavesRows) left.set(id, rows)
        await within.deleteUser(id)
      },
      transaction: (work) => memory.transaction((inner) => work(counting(inner as Whole))),
    }
    const whole = { ...adapter, ...over(adapter) }
    return Object.fromEntries(Object.entries(whole).filter(([name]) => !without.includes(name as keyof Adapter)))
  }
  return counting(memory)
}
