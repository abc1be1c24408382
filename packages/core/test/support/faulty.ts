/** An adapter that fails at a chosen call, a record of everything it was asked to store, and what must hold in every case. */
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"

/** How a call fails. */
export interface Fault {
  /** `*` counts every call. */
  readonly operation: string
  /** The first call that fails, from 1. */
  readonly nth: number
  /** `lost`: the work is done and an error comes back. `hangs`: nothing is done, and no answer ever comes. `garbage`: the work is done and the answer is something else. */
  readonly how: "rejects" | "throws" | "lost" | "hangs" | "garbage"
  /** Every later call fails as well, until `heal`. */
  readonly isLasting: boolean
}

/** An adapter on memory with switchable faults. */
export interface FaultyAdapter {
  readonly adapter: Adapter
  /** The adapter below, which never fails. */
  readonly inner: Required<Adapter>
  /** Operations in order since `arm` or `heal`, those inside transactions included. */
  readonly calls: string[]
  /** Values that no log may hold: session tokens, tokens of providers, hashes of links. */
  readonly secrets: Set<string>
  arm(fault: Fault): void
  heal(): void
  /** Sentences that are broken: empty when all is well. */
  broken(): Promise<string[]>
  /** Users that are stored now. */
  users(): Promise<{ id: string; email: string }[]>
}

/** How much an adapter offers beyond the operations of the specification. */
export const kinds = {
  "with transactions": [],
  "with createUserWithAccount alone": ["transaction"],
  "with neither": ["transaction", "createUserWithAccount"],
} as const satisfies Record<string, readonly (keyof Adapter)[]>

/** The name of one of these. */
export type Kind = keyof typeof kinds

interface Ledger {
  readonly users: Set<string>
  readonly accounts: Map<string, { provider: string; providerAccountId: string }>
  readonly authenticators: Set<string>
}

/** Makes one. `pause` is awaited before every call, so that requests interleave. */
export function faultyAdapter(kind: Kind, { pause }: { pause?: () => Promise<unknown> } = {}): FaultyAdapter {
  const inner = memoryAdapter()
  const ledger: Ledger = { users: new Set(), accounts: new Map(), authenticators: new Set() }
  const secrets = new Set<string>()
  const calls: string[] = []
  let fault: Fault | undefined
  const fails = (operation: string, ways: readonly Fault["how"][]): boolean => {
    if (!fault || !ways.includes(fault.how)) return false
    if (fault.operation !== "*" && fault.operation !== operation) return false
    const asked = fault.operation === "*" ? calls.length : calls.filter((name) => name === operation).length
    return fault.isLasting ? asked >= fault.nth : asked === fault.nth
  }
  const wrap = (adapter: Adapter): Adapter =>
    Object.fromEntries(
      Object.entries(adapter).map(([name, member]) => [
        name,
        typeof member === "function" ? call(name, member) : member,
      ]),
    )
  const call =
    (operation: string, method: unknown) =>
    (...args: unknown[]): unknown => {
      calls.push(operation)
      if (fails(operation, ["throws"])) throw `${operation} is out of order`
      return perform(operation, method, args)
    }
  const perform = async (operation: string, method: unknown, args: unknown[]): Promise<unknown> => {
    const rejects = fails(operation, ["rejects"])
    const isLost = fails(operation, ["lost"])
    await pause?.()
    // Drivers like to repeat what they were given.
    if (rejects) throw new Error(`${operation} failed with ${JSON.stringify(args)}`)
    if (fails(operation, ["hangs"])) return new Promise(() => {})
    const isGarbage = fails(operation, ["garbage"])
    const answer = await (operation === "transaction"
      ? inner.transaction((inside) => (args[0] as (adapter: Adapter) => Promise<unknown>)(wrap(inside)))
      : (method as (...given: unknown[]) => unknown)(...args))
    note({ ledger, secrets }, operation, args, answer)
    if (isLost) throw new Error(`the answer of ${operation} was lost`)
    if (isGarbage) return "<html>"
    return answer
  }
  const offered = Object.fromEntries(
    Object.entries(inner).filter(([name]) => !(kinds[kind] as readonly string[]).includes(name)),
  )
  const users = async (): Promise<{ id: string; email: string }[]> =>
    (await Promise.all([...ledger.users].map((id) => inner.getUser(id)))).filter((user) => user !== null)
  return {
    adapter: wrap(offered),
    inner,
    calls,
    secrets,
    users,
    arm(plan) {
      calls.length = 0
      fault = plan
    },
    heal() {
      calls.length = 0
      fault = undefined
    },
    broken: async () => broken(inner, ledger, await users()),
  }
}

function note(
  { ledger, secrets }: { ledger: Ledger; secrets: Set<string> },
  operation: string,
  args: unknown[],
  answer: unknown,
): void {
  const [first, second] = args as Record<string, string>[]
  if (operation === "createUser" || operation === "createUserWithAccount") {
    ledger.users.add((answer as { id: string }).id)
  }
  const account = operation === "linkAccount" ? first : operation === "createUserWithAccount" ? second : undefined
  if (account) {
    const { provider = "", providerAccountId = "" } = account
    ledger.accounts.set(`${provider} ${providerAccountId}`, { provider, providerAccountId })
    for (const name of ["access_token", "id_token"]) if (account[name]) secrets.add(account[name])
  }
  if (operation === "createSession") secrets.add(first?.["sessionToken"] ?? "")
  if (operation === "createVerificationToken") secrets.add(first?.["token"] ?? "")
  if (operation === "createAuthenticator") ledger.authenticators.add(first?.["credentialID"] ?? "")
}

async function broken(
  inner: Required<Adapter>,
  ledger: Ledger,
  users: readonly { id: string; email: string }[],
): Promise<string[]> {
  const found: string[] = []
  const ids = new Set(users.map(({ id }) => id))
  for (const id of ledger.users) {
    const sessions = await inner.listSessionsByUserId(id)
    if (!ids.has(id) && sessions.length > 0) found.push("I1: a session without user")
  }
  for (const { provider, providerAccountId } of ledger.accounts.values()) {
    const account = await inner.getAccount(providerAccountId, provider)
    if (account && !ids.has(account.userId)) found.push(`I2: the account of ${provider} has no user`)
  }
  for (const id of ledger.authenticators) {
    const row = await inner.getAuthenticator(id)
    if (row && !ids.has(row.userId)) found.push("I2: an authenticator has no user")
  }
  const addresses = users.map(({ email }) => email).filter(Boolean)
  if (new Set(addresses).size < addresses.length) found.push("I4: two users with one address")
  return found
}
