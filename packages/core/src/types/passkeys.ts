/** Passkeys: the options of the feature, and what their user sees in a list. */
import type { Policy } from "./session-facts.js"

/** Options of `passkeys`. */
export interface PasskeysOptions {
  /**
   * What adding a passkey or an account to the user of a session, and removing a passkey, asks of that session over HTTP; `{}` asks nothing.
   * @default { maxAge: 900, passive: true }
   */
  readonly policy?: Policy | undefined
}

/** A passkey of somebody. */
export interface PasskeyEntry {
  /** The id of the credential, base64url. */
  readonly id: string
  /** The id of the provider that it signs in with. */
  readonly provider: string
  /** The name that its user gave it. */
  readonly name?: string
  /** What keeps it, such as "iCloud Keychain", where its model (AAGUID) is known. */
  readonly keptBy?: string
  /** When it was registered. Not known of passkeys from before the feature was listed. */
  readonly addedAt?: Date
  /** When it last signed its user in. */
  readonly usedAt?: Date
  /** It is copied to other devices of its user (WebAuthn Level 3 §6.1.3, backup state). */
  readonly isSynced: boolean
}

/** What became of a removal. `last`: nothing was removed, because its user could not sign in any more. */
export type PasskeyRemoval = "removed" | "absent" | "last"

/**
 * What a browser learns of the passkeys of its user (WebAuthn Level 3 §5.1.10), so that it hides those that are gone and
 * shows the current name of the account. One for each relying party.
 */
export interface PasskeySignal {
  /** The relying party. */
  readonly rpId: string
  /** The handle of the user, base64url. */
  readonly userId: string
  /** As a registration would name the account: the address where there is one. */
  readonly name: string
  /** As a registration would show it: the name of the person where it is known. */
  readonly displayName: string
  /** The ids of the passkeys that sign the user in, base64url. */
  readonly allAcceptedCredentialIds: readonly string[]
}
