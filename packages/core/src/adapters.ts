/** The interface of data layers, and what adapters import from here. */

export { combine } from "./adapters/combine.js"
export type { Parts, RecordPart, SessionStore, VerificationTokenStore } from "./adapters/parts.js"
export { isDate } from "./std/time.js"
export * from "./types/adapter.js"
export * from "./types/credential.js"
export type { Account, AdapterUser, Awaitable, User } from "./types/identity.js"
export type * from "./types/records.js"
export * from "./types/session.js"
export type { JWT } from "./types/token.js"
