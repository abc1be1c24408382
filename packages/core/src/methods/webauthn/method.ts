/** Sign-in with WebAuthn credentials. Its first step is the action `webauthn-options`. */
import type { Method } from "../method.js"
import { finish } from "./finish.js"

/** Providers of type `webauthn`. */
export const webauthnMethod: Method = { finish }
