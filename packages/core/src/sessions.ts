/** The door of managed sessions: listing, ending and renewing them, and what a session rests on. */
export { type ManagedSessions, managedSessions, type SessionChange } from "./engine/managed-sessions.js"
export {
  misuseOfSessions,
  type SessionsCall,
  type SessionsOfRoute,
  sessionsOfRequest,
} from "./engine/request-sessions.js"
export { meets } from "./sessions/policy.js"
export type { Feature } from "./types/feature.js"
export type { ClientFacts, ManagedSessionsOptions, SessionEntry } from "./types/managed-sessions.js"
export type { Policy, SessionFacts, SessionProof } from "./types/session-facts.js"
