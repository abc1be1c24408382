/** Passkeys from a page, under the name that users of this package import. */
export { registerPasskey, signIn, signInWithPasskey } from "./client.js"
