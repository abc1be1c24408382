/**
 * What `@latchkey/testing` and the command line stand on: a session for whoever is named, without a proof, one that is
 * only measured, the name that was meant, and what is checked at the start in development. Not for applications.
 */
export type { StartCheck, StartedConfiguration, StartFinding } from "./engine/development.js"
export { beginSession, type OrderedSession, type SessionOrder } from "./engine/mint.js"
export { type SessionTrial, trySession } from "./engine/trial.js"
export { nearest } from "./std/nearest.js"
