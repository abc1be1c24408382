/** A contract case: a sentence, the operations it needs, and a function that throws when the sentence does not hold. */
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
  /** The part of the contract it belongs to. */
  readonly group: ContractGroup
  /** The operations the case needs; adapters without one of them are not tested by it. */
  readonly needs: readonly (keyof Adapter)[]
  /** The case is left out for adapters that offer one of these, because another case covers them. @default [] */
  readonly unless?: readonly (keyof Adapter)[]
  /** Throws when the sentence does not hold for the adapter. */
  run(kit: Kit): Promise<void>
}

/** Makes the cases of one group. */
export function group(
  name: ContractGroup,
  cases: Readonly<Record<string, [needs: readonly (keyof Adapter)[], run: (kit: Kit) => Promise<void>]>>,
): readonly ContractCase[] {
  return Object.entries(cases).map(([sentence, [needs, run]]) => ({ name: sentence, group: name, needs, run }))
}
