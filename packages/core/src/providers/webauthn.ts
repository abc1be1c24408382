/** Sign-in with WebAuthn credentials; they are stored by the authenticator where it can. */
import type { WebAuthnConfig } from "../types/provider.js"

export type {
  GetUserInfo,
  RelyingParty,
  WebAuthnCallbackOptions,
  WebAuthnConfig,
  WebAuthnProviderType,
} from "../types/provider.js"

/** What differs from the defaults. */
export type WebAuthnUserConfig = Partial<Omit<WebAuthnConfig, "type" | "options">>

/** Five minutes, as milliseconds: how long the browser waits for the person. */
const timeout = 5 * 60 * 1000

/** Sign-in with WebAuthn. Needs an adapter and `experimental.enableWebAuthn`. */
export function WebAuthn(config: WebAuthnUserConfig = {}): WebAuthnConfig {
  return {
    id: "webauthn",
    name: "WebAuthn",
    docs: "https://www.w3.org/TR/webauthn-3/",
    checked: "2026-11-21",
    enableConditionalUI: true,
    formFields: { email: { label: "Email", type: "email", required: true, autocomplete: "username webauthn" } },
    authenticationOptions: { timeout },
    registrationOptions: { timeout },
    ...config,
    type: "webauthn",
    options: config,
  }
}

export default WebAuthn
