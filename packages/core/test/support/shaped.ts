/** The adapters that attacks are tried on: the memory adapter with operations removed, and what others published. */
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import { openPublished } from "./published.js"

const additions = [
  "emptyEmail",
  "comparesExactly",
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

/** The name of a shape, or of an adapter as it was published. */
export type Shape = keyof typeof shapes | keyof typeof openPublished

/** Every shape and published adapter, and those that know passkeys. */
export const allShapes = [...Object.keys(shapes), ...Object.keys(openPublished)] as Shape[]
export const passkeyShapes = allShapes.filter((shape) => !/no passkeys|kysely/.test(shape))

/** An adapter of a shape, or one that was published. */
export async function openShape(shape: Shape): Promise<Adapter> {
  return shape in openPublished
    ? (await openPublished[shape as keyof typeof openPublished]()).adapter
    : shapedAdapter(shape as keyof typeof shapes).adapter
}

/** An adapter of a shape, and the adapter below it. */
export function shapedAdapter(shape: keyof typeof shapes): {
  readonly adapter: Adapter
  readonly inner: Required<Adapter>
} {
  const inner = memoryAdapter()
  const lacking: readonly string[] = shapes[shape]
  const without = (adapter: Adapter): Adapter =>
    Object.fromEntries(Object.entries(adapter).filter(([name]) => !lacking.includes(name)))
  const adapter = without(inner)
  if (adapter.transaction) adapter.transaction = (work) => inner.transaction((inside) => work(without(inside)))
  return { adapter, inner }
}
