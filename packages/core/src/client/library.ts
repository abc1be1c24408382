/**
 * The WebAuthn library of the browser. The build puts it into the published file, so that no application has to install
 * it, and loading it costs those who never use a passkey nothing.
 */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser"
import type { BrowserLibrary } from "./ceremony.js"

export const browserLibrary: BrowserLibrary = {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
}
