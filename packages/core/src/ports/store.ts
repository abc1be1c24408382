/** The adapter as the engine sees it: total. A missing operation and a failing one become errors that name it. */
import type { Adapter } from "../types/adapter.js"

/** Operations that every store answers, if only with an error. */
export type StoreOperation = Exclude<
  keyof Adapter,
  | "transaction"
  | "createUserWithAccount"
  | "deleteSessionsByUserId"
  | "listSessionsByUserId"
  | "updateAccount"
  | "deleteExpired"
>

/** What an operation answers once "nothing" has become `null`. */
type Settled<R> = Exclude<R, undefined | void> | (undefined extends R ? null : never)
type Total<F> = F extends (...args: infer Args) => infer R ? (...args: Args) => Promise<Settled<Awaited<R>>> : never

/** A total store. `undefined` from an adapter is read as `null`; dates as ISO text are coerced; ids keep their type. */
export type Store = {
  readonly [Operation in StoreOperation]: Total<NonNullable<Adapter[Operation]>>
} & {
  /** Is there an adapter at all? */
  readonly isPresent: boolean
  /** Does the adapter offer the operation, on itself or its prototype? */
  has(operation: keyof Adapter): boolean
  /** Runs `work` in the adapter's transaction where it has one, else on this store itself. Errors of `work` pass through unchanged. */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>
  createUserWithAccount: NonNullable<Adapter["createUserWithAccount"]>
  deleteSessionsByUserId: NonNullable<Adapter["deleteSessionsByUserId"]>
}
