/** The contract kit: proves that an adapter does what the service relies on. Works with any test runner, or none. */
export type { ContractCase, ContractGroup, Kit } from "./testing/case.js"
export { contractCases } from "./testing/cases.js"
export { formatContract } from "./testing/format.js"
export {
  type ContractOptions,
  type ContractOutcome,
  type ContractReport,
  type Excuse,
  missingOperations,
  runCase,
  runContract,
} from "./testing/run.js"
