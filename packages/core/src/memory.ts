/** The in-memory reference adapter. */
export { memoryAdapter } from "./adapters/memory.js"
