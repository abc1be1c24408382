/** Signing in with a passkey. */
export { finish } from "./finish.js"
export { webauthnOptions } from "./options.js"
