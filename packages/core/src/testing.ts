/** What `@latchkey/testing` stands on: a session for whoever is named, without a proof. Not for applications. */
export { beginSession, type OrderedSession, type SessionOrder } from "./engine/mint.js"
