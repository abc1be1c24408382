/** The memory adapter with operations removed: the shapes of adapters that others published, and of ours. */
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"

const additions = [
  "emptyEmail",
  "transaction",
  "createUserWithAccount",
  "listAccountsByUserId",
  "deleteSessionsByUserId",
  "listSessionsByUserId",
  "updateAccount",
  "deleteExpired",
] as const

const passkeys = [
  "getAccount",
  "createAuthenticator",
  "getAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
] as const

/** What each kind of adapter lacks. */
export const shapes = {
  "ours, with transactions": [],
  "Redis: no transactions": ["transaction"],
  "Prisma, Drizzle, unstorage: the specification's operations": additions,
  "Kysely, pg: no passkeys": [...additions, ...passkeys],
  "no deleteSessionsByUserId": ["deleteSessionsByUserId"],
  "no listAccountsByUserId": ["listAccountsByUserId"],
} as const satisfies Record<string, readonly (keyof Adapter)[]>

/** The name of a shape. */
export type Shape = keyof typeof shapes

/** Every shape, and those that know passkeys. */
export const allShapes = Object.keys(shapes) as Shape[]
export const passkeyShapes = allShapes.filter((shape) => !shape.includes("no passkeys"))

/** An adapter of a shape, and what lies below it. */
export function shapedAdapter(shape: Shape): { readonly adapter: Adapter; readonly inner: Required<Adapter> } {
  const inner = memoryAdapter()
  const lacking: readonly string[] = shapes[shape]
  const without = (adapter: Adapter): Adapter =>
    Object.fromEntries(Object.entries(adapter).filter(([name]) => !lacking.includes(name)))
  const adapter = without(inner)
  if (adapter.transaction) adapter.transaction = (work) => inner.transaction((inside) => work(without(inside)))
  return { adapter, inner }
}
