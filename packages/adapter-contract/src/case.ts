/** What a contract case is: a sentence, the operations it needs, and a function that throws when the sentence is not true. */
import type { Adapter } from "@latchkey/core/adapters"

/** The parts of the contract. */
export type ContractGroup =
  | "users"
  | "accounts"
  | "sessions"
  | "verification tokens"
  | "authenticators"
  | "removal"
  | "edge values"
  | "exact comparison"
  | "dates"
  | "concurrency"
  | "transactions"
  | "records"
  | "crash"

/** What a case works with. */
export interface Kit {
  /** The adapter under test. The operations that the case needs are there. */
  readonly adapter: Required<Adapter>
  /** A string that no other case and no other run uses, so that all can share one database. */
  fresh(label: string): string
}

/** One sentence of the contract. */
export interface ContractCase {
  /** The sentence. Unique among all cases. */
  readonly name: string
  readonly group: ContractGroup
  /** Without these operations the case says nothing about an adapter. */
  readonly needs: readonly (keyof Adapter)[]
  /** Of an adapter that offers one of these the case says nothing new: it is left out. @default [] */
  readonly unless?: readonly (keyof Adapter)[]
  /** Throws when the adapter does not keep the sentence. */
  run(kit: Kit): Promise<void>
}

/** Writes down the cases of one group. */
export function group(
  name: ContractGroup,
  cases: Readonly<Record<string, [needs: readonly (keyof Adapter)[], run: (kit: Kit) => Promise<void>]>>,
): readonly ContractCase[] {
  return Object.entries(cases).map(([sentence, [needs, run]]) => ({ name: sentence, group: name, needs, run }))
}
