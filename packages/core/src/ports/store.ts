/** The adapter as the engine sees it: total. A missing operation and a failing one become errors that name it. */

import { AdapterError, MissingAdapter, MissingAdapterMethods } from "../errors.js"
import type { Adapter } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"
import type { RecordStore } from "../types/records.js"
import { mayBeAddressOf } from "./exactness.js"
import { createRecords, missingVerbs, type Records } from "./records.js"
import { withoutSecretsOf } from "./redact.js"
import { type StoreOperation, settlements } from "./rows.js"
import { asError } from "./thrown.js"

/** What an operation answers once "nothing" has become `null`. */
type Settled<R> = Exclude<R, undefined | void> | (undefined extends R ? null : never)
type Total<F> = F extends (...args: infer Args) => infer R ? (...args: Args) => Promise<Settled<Awaited<R>>> : never

/** A total store. `undefined` from an adapter is read as `null`; dates as ISO 8601 strings are converted; ids keep their type. */
export type Store = {
  readonly [Operation in StoreOperation]: Total<NonNullable<Adapter[Operation]>>
} & {
  /** Is there an adapter at all? */
  readonly isPresent: boolean
  /** The adapter says that it never finds one id by another. */
  readonly comparesExactly: boolean
  /** Does the adapter offer the operation, on itself or its prototype? */
  has(operation: keyof Adapter): boolean
  /** Inside a transaction: the records of an adapter that keeps them, as part of it. */
  readonly records: Records | undefined
  /** Runs `work` in the adapter's transaction where it has one, else on this store itself. Errors of `work` pass through unchanged. */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>
  createUserWithAccount: NonNullable<Adapter["createUserWithAccount"]>
  deleteSessionsByUserId: NonNullable<Adapter["deleteSessionsByUserId"]>
  listSessionsByUserId: Total<NonNullable<Adapter["listSessionsByUserId"]>>
  listAccountsByUserId: Total<NonNullable<Adapter["listAccountsByUserId"]>>
  updateAccount: Total<NonNullable<Adapter["updateAccount"]>>
}

type Operation = keyof typeof settlements
type Method = (...args: readonly unknown[]) => unknown

const operationNames = Object.keys(settlements) as readonly Operation[]

/** Makes an adapter total. Without one, every operation fails and says so. */
export function createStore(adapter: Adapter | undefined): Store {
  return storeOver(adapter, { isInTransaction: false, keepsEmptyEmail: adapter?.emptyEmail === true })
}

interface Manner {
  readonly isInTransaction: boolean
  /** A user without an address is passed on with the empty string; otherwise with `null`. */
  readonly keepsEmptyEmail: boolean
}

function storeOver(adapter: Adapter | undefined, manner: Manner): Store {
  const { isInTransaction, keepsEmptyEmail } = manner
  // Each transaction makes a store, and engines copy an object of this size slowly: it is filled in place.
  const operations: Record<string, Method> = {}
  for (const operation of operationNames) {
    const handedOver = keepsEmptyEmail || !writesUsers.has(operation) ? copy : copyWithoutEmptyEmail
    operations[operation] = (...args) => perform(adapter, operation, args.map(handedOver))
  }
  const getUserByEmail = operations.getUserByEmail as (email: string) => Promise<AdapterUser | null>
  const store = Object.assign(operations, {
    // All users whose provider sends no address have the empty one: a look-up by it must never find one of them.
    getUserByEmail: async (email: unknown) => {
      if (typeof email !== "string" || email.trim() === "") return null
      const user = await getUserByEmail(email)
      return user && mayBeAddressOf(user, email) ? user : null
    },
    isPresent: adapter !== undefined,
    comparesExactly: adapter?.comparesExactly === true,
    has: (operation: keyof Adapter) => methodOf(adapter, operation) !== undefined,
    records:
      isInTransaction && adapter && missingVerbs(adapter).length === 0
        ? createRecords(adapter as RecordStore)
        : undefined,
    transaction: <T>(work: (store: Store) => Promise<T>): Promise<T> =>
      // A transaction inside another would wait for a second connection.
      isInTransaction || !adapter || !methodOf(adapter, "transaction")
        ? work(store)
        : runTransaction(adapter, (inner) => work(storeOver(inner, { ...manner, isInTransaction: true }))),
  }) as unknown as Store
  return Object.freeze(store)
}

/** Looked up at each call and through the prototype, so that classes and late changes work. */
function methodOf(adapter: Adapter | undefined, operation: keyof Adapter): Method | undefined {
  const method: unknown = adapter?.[operation]
  return typeof method === "function" ? (method as Method) : undefined
}

async function perform(adapter: Adapter | undefined, operation: Operation, args: readonly unknown[]): Promise<unknown> {
  if (!adapter) {
    throw new MissingAdapter(
      `The operation "${operation}" needs an adapter, and the configuration has none. Set "adapter" to an adapter that has it.`,
    )
  }
  try {
    const method = methodOf(adapter, operation)
    if (method) return settlements[operation](await method.apply(adapter, [...args]), args[0])
  } catch (thrown) {
    throw failed(operation, thrown, findsByToken.has(operation) ? [{ sessionToken: args[0] }] : args)
  }
  throw new MissingAdapterMethods(
    `The adapter lacks the operation "${operation}", which this step needs. Add it to the adapter, or use one that has it.`,
    { cause: { operation } },
  )
}

/** An adapter may change the row it is given; ours may be frozen or used again. */
function copy(value: unknown): unknown {
  return typeof value === "object" && value !== null ? { ...value } : value
}

const writesUsers: ReadonlySet<string> = new Set(["createUser", "updateUser", "createUserWithAccount"])

/** A unique key allows `null` many times, and the empty string once. */
function copyWithoutEmptyEmail(value: unknown): unknown {
  const copied = copy(value) as { email?: unknown } | undefined
  return copied?.email === "" ? { ...copied, email: null } : copied
}

/** These are given a token itself, not a row that names it. */
const findsByToken: ReadonlySet<string> = new Set(["getSessionAndUser", "deleteSession"])

function failed(operation: string, thrown: unknown, given: readonly unknown[] = []): AdapterError {
  return new AdapterError(`The operation "${operation}" of the adapter failed.`, {
    cause: { err: withoutSecretsOf(given, asError(thrown)), operation },
  })
}

type Outcome<T> = { kind: "done"; value: T } | { kind: "threw"; error: unknown }

async function runTransaction<T>(adapter: Adapter, work: (adapter: Adapter) => Promise<T>): Promise<T> {
  let outcome = undefined as Outcome<T> | undefined
  const observed = async (inner: Adapter): Promise<T> => {
    // An adapter may run the work again after a conflict: only its last run counts.
    outcome = undefined
    try {
      const value = await work(inner)
      outcome = { kind: "done", value }
      return value
    } catch (error) {
      outcome = { kind: "threw", error }
      throw error
    }
  }
  try {
    await (methodOf(adapter, "transaction") as Method).call(adapter, observed)
  } catch (thrown) {
    if (outcome?.kind !== "threw") throw failed("transaction", thrown)
  }
  if (outcome?.kind === "done") return outcome.value
  if (outcome?.kind === "threw") throw outcome.error
  throw failed("transaction", new TypeError("The transaction ended without running its work."))
}
