/** What a browser learns of the passkeys of a user, so that it offers no passkey that is refused (WebAuthn Level 3 §5.1.10). */
import type { Context } from "../../context/context.js"
import { toBase64url } from "../../std/bytes.js"
import type { AdapterUser } from "../../types/identity.js"
import type { PasskeySignal } from "../../types/passkeys.js"
import { listPasskeys } from "./kept.js"
import { handleOf } from "./keyed.js"
import { partyOf } from "./party.js"
import { labelsOf, storedId } from "./stored.js"

/**
 * One signal for each relying party. Passkeys that were registered before there was a user have a handle of their own,
 * which no signal names: a browser keeps those until it learns that one of them is unknown.
 */
export async function passkeySignals(context: Context, user: AdapterUser): Promise<readonly PasskeySignal[]> {
  const passkeys = await listPasskeys(context, user)
  const userId = toBase64url(await handleOf(context, user.id))
  return [...new Set(partyIds(context))].map((rpId) => ({
    rpId,
    userId,
    ...labelsOf(user),
    allAcceptedCredentialIds: passkeys.map(({ id }) => id),
  }))
}

function partyIds(context: Context): readonly string[] {
  return [...context.settings.providers.values()].flatMap((provider) =>
    provider.type === "webauthn" ? [partyOf({ ...context, provider }).id] : [],
  )
}

/** Does this passkey sign nobody in? Only then may a browser be asked to hide it. What is no id of a passkey is not asked for. */
export async function isUnknownPasskey({ settings }: Context, id: string): Promise<boolean> {
  // A credential id has at most 1,023 bytes (WebAuthn Level 3 §7.1).
  if (!/^[\w-]{2,1364}$/.test(id) || id.length % 4 === 1) return false
  const providers = [...settings.providers.values()].filter(({ type }) => type === "webauthn")
  const accounts = await Promise.all(providers.map((provider) => settings.store.getAccount(storedId(id), provider.id)))
  return accounts.every((account) => !account)
}
