/** Which WebAuthn library serves a provider. */
import type { WebAuthnConfig } from "../../types/provider.js"
import type { WebAuthnLibrary } from "./ceremony.js"
import { loadCurrentLibrary } from "./current.js"
import { versionNine } from "./version-nine.js"

/**
 * The library that serves a provider: its own, if it really brings one, else ours.
 * @throws InvalidConfiguration when the package is not installed.
 */
export async function libraryOf(config: WebAuthnConfig): Promise<WebAuthnLibrary> {
  return versionNine(config.simpleWebAuthn) ?? loadCurrentLibrary()
}
