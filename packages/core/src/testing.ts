/**
 * What `@latchkey/testing` and the command line stand on: a session for whoever is named, without a proof, one that is
 * only measured, and the name that was meant. Not for applications.
 */
export { beginSession, type OrderedSession, type SessionOrder } from "./engine/mint.js"
export { type SessionTrial, trySession } from "./engine/trial.js"
export { nearest } from "./std/nearest.js"
