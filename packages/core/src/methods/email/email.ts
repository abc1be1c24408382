/** Signing in with a link by mail. */
export { begin, claim } from "./begin.js"
export { finish } from "./finish.js"
