/** Signing in at a provider of OAuth 2 or OpenID Connect. */
export { begin } from "./begin.js"
export { finish } from "./finish.js"
