/** Sign-in with WebAuthn credentials; they are stored by the authenticator where it can. */
import { InvalidConfiguration } from "../errors.js"
import type { UsualId, WebAuthnConfig, WebAuthnModules } from "../types/provider.js"

export type {
  GetUserInfo,
  RelyingParty,
  WebAuthnCallbackOptions,
  WebAuthnConfig,
  WebAuthnModules,
  WebAuthnProviderType,
} from "../types/provider.js"

/** What differs from the defaults. */
export type WebAuthnUserConfig = Partial<Omit<WebAuthnConfig, "type" | "options">>

/** Five minutes, as milliseconds: how long the browser waits for the person. */
const timeout = 5 * 60 * 1000

/** Sign-in with WebAuthn. Needs an adapter, `experimental.enableWebAuthn` and the package `@simplewebauthn/server`. */
export function WebAuthn(config: WebAuthnUserConfig = {}): WebAuthnConfig<UsualId<"webauthn">> {
  return {
    id: "webauthn",
    name: "WebAuthn",
    docs: "https://www.w3.org/TR/webauthn-3/",
    checked: "2026-11-21",
    enableConditionalUI: true,
    formFields: { email: { label: "Email", type: "email", required: true, autocomplete: "username webauthn" } },
    authenticationOptions: { timeout },
    registrationOptions: { timeout },
    loadLibrary,
    ...config,
    type: "webauthn",
    options: config,
  }
}

export default WebAuthn

/** Written here and nowhere else, so that bundlers look for the package only where passkeys are used. */
async function loadLibrary(): Promise<WebAuthnModules> {
  try {
    const server = await import("@simplewebauthn/server")
    const helpers = await import("@simplewebauthn/server/helpers")
    return { server, helpers }
  } catch (err) {
    throw new InvalidConfiguration(
      "Passkeys need the package `@simplewebauthn/server`: npm install @simplewebauthn/server",
      { cause: { err } },
    )
  }
}
