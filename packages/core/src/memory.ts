/** The in-memory reference adapter, and a store of records alone. */
export { memoryAdapter } from "./adapters/memory.js"
export { memoryRecords } from "./adapters/records.js"
