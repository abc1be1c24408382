/** The operations of an adapter that the service itself rests on. */
import type { Adapter } from "../types/adapter.js"
import type { RecordStore } from "../types/records.js"

/** Operations on records; `ports/records.ts` makes them total. */
type RecordOperation = keyof RecordStore

/** Operations that every store answers, if only with an error. */
export type StoreOperation = Exclude<
  keyof Adapter,
  | "emptyEmail"
  | "transaction"
  | "createUserWithAccount"
  | "listAccountsByUserId"
  | "deleteSessionsByUserId"
  | "listSessionsByUserId"
  | "updateAccount"
  | "deleteExpired"
  | RecordOperation
>
