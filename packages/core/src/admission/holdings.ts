/** What a user holds that somebody may have put there who never proved the address. */
import { hasPasskeys } from "../config/email-proof.js"
import type { Context } from "../context/context.js"
import type { Store } from "../ports/store.js"
import type { AccountKey } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"

/** What a user holds. */
export interface Holdings {
  readonly hasPasskey: boolean
  /** Nothing but passkeys. Where accounts cannot be listed, nobody knows, and it is `false`. */
  readonly isPasskeysOnly: boolean
}

/** Looks what a user holds. */
export async function holdingsOf(context: Context, user: AdapterUser, store: Store): Promise<Holdings> {
  if (!store.has("listAccountsByUserId")) {
    return { hasPasskey: (await passkeysOf(context, user, store)).length > 0, isPasskeysOnly: false }
  }
  const accounts = await store.listAccountsByUserId(user.id)
  return {
    hasPasskey: accounts.some(({ type }) => type === "webauthn"),
    isPasskeysOnly: accounts.length > 0 && accounts.every(({ type }) => type === "webauthn"),
  }
}

/** The accounts of the user's authenticators. An authenticator without its account opens nothing. */
async function passkeysOf({ settings }: Context, user: AdapterUser, store: Store): Promise<readonly AccountKey[]> {
  // Tables of adapters that were made without passkeys have no authenticators to ask for.
  if (!hasPasskeys(settings.providers) || !store.has("listAuthenticatorsByUserId")) return []
  const rows = await store.listAuthenticatorsByUserId(user.id)
  const passkeys = [...settings.providers.values()].filter(({ type }) => type === "webauthn")
  const found: AccountKey[] = []
  for (const { providerAccountId } of rows) {
    for (const { id: provider } of passkeys) {
      const owner = await store.getUserByAccount({ provider, providerAccountId })
      if (owner && String(owner.id) === String(user.id)) found.push({ provider, providerAccountId })
    }
  }
  return found
}

/**
 * The accounts that need no proof of the address: passkeys, and accounts of providers whose addresses neither their file
 * nor the configuration calls verified. Adapters that cannot list accounts tell the passkeys alone.
 */
export async function unprovenAccounts(
  context: Context,
  user: AdapterUser,
  store: Store,
): Promise<readonly AccountKey[]> {
  if (!store.has("listAccountsByUserId")) return passkeysOf(context, user, store)
  const accounts = await store.listAccountsByUserId(user.id)
  return accounts.filter(({ type, provider }) => {
    if (type === "email") return false
    const configured = context.settings.providers.get(provider)
    const isOAuth = configured?.type === "oauth" || configured?.type === "oidc"
    return type === "webauthn" || !(isOAuth && configured.callsVerified)
  })
}
