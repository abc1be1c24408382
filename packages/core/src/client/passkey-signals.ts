/** Tells the browser what became of passkeys, so that it offers none that is refused (WebAuthn Level 3 §5.1.10). */
import type { PasskeySignal } from "../types/passkeys.js"
import type { Connection } from "./connection.js"

/** The methods of the interface; browsers from before Level 3 have none of them. */
interface SignalMethods {
  signalUnknownCredential?(given: { readonly rpId: string; readonly credentialId: string }): Promise<void>
  signalAllAcceptedCredentials?(
    given: Pick<PasskeySignal, "rpId" | "userId" | "allAcceptedCredentialIds">,
  ): Promise<void>
  signalCurrentUserDetails?(given: Pick<PasskeySignal, "rpId" | "userId" | "name" | "displayName">): Promise<void>
}

/** A passkey that is gone, beside those that are accepted. */
export interface SignalOptions {
  /** The id of a passkey that was removed. */
  readonly removed?: string | undefined
}

/** Asks the service for the signals and gives them to the browser. `false` where that was not possible. Never throws. */
export async function signalPasskeys(connection: Connection, { removed }: SignalOptions = {}): Promise<boolean> {
  if (!methods()) return false
  try {
    const { ok, data } = await connection.get("passkeys?signals=true")
    return ok && Array.isArray(data) && (await giveSignals(data, removed))
  } catch {
    return false
  }
}

/** Gives signals to the browser. `false` where it knows none of them, or refuses one. Never throws. */
export async function giveSignals(signals: readonly PasskeySignal[], removed?: string): Promise<boolean> {
  const known = methods()
  if (!known) return false
  try {
    for (const { rpId, userId, name, displayName, allAcceptedCredentialIds } of signals) {
      if (removed) await known.signalUnknownCredential?.({ rpId, credentialId: removed })
      await known.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds })
      await known.signalCurrentUserDetails?.({ rpId, userId, name, displayName })
    }
    return signals.length > 0
  } catch {
    // The browser refuses a relying party that is not this page's.
    return false
  }
}

function methods(): SignalMethods | undefined {
  const known = (globalThis as { PublicKeyCredential?: SignalMethods }).PublicKeyCredential
  if (!known) return undefined
  return known.signalUnknownCredential || known.signalAllAcceptedCredentials || known.signalCurrentUserDetails
    ? known
    : undefined
}
