/** An adapter with the operations of the specification and nothing more, whose calls are noted. */
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"

/** The operations of the specification. */
export const operations = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "unlinkAccount",
  "getAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
  "createAuthenticator",
  "getAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
] as const

/** The name of an operation. */
export type Operation = (typeof operations)[number]
/** What was asked, and what was answered. */
export interface Call {
  readonly operation: Operation
  readonly args: readonly unknown[]
  readonly answer: unknown
}

/** The adapter and its notes. Operations can be exchanged and taken away. */
export interface Watched {
  readonly adapter: Adapter
  readonly calls: Call[]
  /** The calls of one operation. */
  callsOf(operation: Operation): Call[]
}

/** Watches an adapter; without one, a memory adapter. */
export function watched(inner: Adapter = memoryAdapter()): Watched {
  const calls: Call[] = []
  const entries = operations.map((operation) => {
    const method = inner[operation] as (...args: unknown[]) => unknown
    const watching = async (...args: unknown[]): Promise<unknown> => {
      const answer = await method.apply(inner, args)
      calls.push({ operation, args, answer })
      return answer
    }
    return [operation, watching]
  })
  const adapter = Object.fromEntries(entries) as Adapter
  return { adapter, calls, callsOf: (operation) => calls.filter((call) => call.operation === operation) }
}
