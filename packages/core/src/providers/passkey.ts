/** Sign-in with passkeys: WebAuthn credentials that the authenticator stores and that verify the person. */
import type { UsualId, WebAuthnConfig } from "../types/provider.js"
import { WebAuthn, type WebAuthnUserConfig } from "./webauthn.js"

/** Five minutes, as milliseconds: how long the browser waits for the person. */
const timeout = 5 * 60 * 1000

/** Sign-in with passkeys. Needs an adapter, `experimental.enableWebAuthn` and the package `@simplewebauthn/server`. */
export function Passkey(config: WebAuthnUserConfig = {}): WebAuthnConfig<UsualId<"passkey">> {
  const authenticatorSelection = { residentKey: "required", userVerification: "required" }
  return {
    ...WebAuthn({
      id: "passkey",
      name: "Passkey",
      authenticationOptions: { timeout, userVerification: "required" },
      registrationOptions: { timeout, authenticatorSelection },
      verifyAuthenticationOptions: { requireUserVerification: true },
      verifyRegistrationOptions: { requireUserVerification: true },
      ...config,
    }),
    docs: "https://passkeys.dev",
    checked: "2026-11-21",
    options: config,
  }
}

export default Passkey
