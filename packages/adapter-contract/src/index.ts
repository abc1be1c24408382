/** The contract kit: proves that an adapter does what the service relies on. Works with any test runner, or none. */
import { createAuth } from "@latchkey/core"
import type { Adapter, Awaitable } from "@latchkey/core/adapters"
import type { ContractCase } from "./case.js"
import { operationCases } from "./cases.js"
import { crashCases } from "./crash.js"
import { type ContractOptions, type ContractReport, runCases } from "./run.js"

export type { ContractCase, ContractGroup, Kit } from "./case.js"
export { formatContract } from "./format.js"
export {
  appliesTo,
  type ContractOptions,
  type ContractOutcome,
  type ContractReport,
  type Excuse,
  missingOperations,
  runCase,
} from "./run.js"

/**
 * The contract of adapters as data. For any test runner: one test for each case that {@link appliesTo} the adapter,
 * with {@link runCase}. Every case makes its own rows under fresh names, so that all may share one database.
 */
export const contractCases: readonly ContractCase[] = [
  ...operationCases,
  // Variables of the machine that runs the tests must not change them.
  ...crashCases((config) => createAuth(config, { env: {} })),
]

/**
 * Proves an adapter: runs every case on an adapter that `factory` makes, and reports. Never throws for a failing case.
 *
 * @example
 * ```ts
 * import { memoryAdapter } from "@latchkey/core/memory"
 * import { formatContract, runContract } from "@latchkey/adapter-contract"
 *
 * const report = await runContract(() => memoryAdapter())
 * console.log(formatContract(report))
 * if (!report.isKept) throw new Error("The adapter does not keep the contract.")
 * ```
 */
export function runContract(factory: () => Awaitable<Adapter>, options: ContractOptions = {}): Promise<ContractReport> {
  return runCases(options.cases ?? contractCases, factory, options)
}
