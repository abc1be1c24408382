/** The operations of an adapter that the service itself rests on. */
import type { Adapter } from "../types/adapter.js"

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
>
