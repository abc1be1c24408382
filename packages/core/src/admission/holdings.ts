/** What a user has that needed no proof of the address: accounts and passkeys. Reads only. */
import { hasMail, passkeyProviders } from "../config/email-proof.js"
import type { Context } from "../context/context.js"
import type { Proof } from "../methods/method.js"
import { isPasskey, provesEmail } from "../methods/policy.js"
import type { Store } from "../ports/store.js"
import type { AccountKey } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"

/** Read only where it matters: the provider has verified the address, and it is unproven here. */
export async function holdingsFor(
  context: Context,
  emailOwner: AdapterUser,
  { proof, store }: { readonly proof: Proof; readonly store: Store },
): Promise<{ readonly holdings?: Holdings }> {
  if (emailOwner.emailVerified || proof.emailStatus === "unverified") return {}
  if (proof.emailStatus !== "verified" && !proof.mayLinkByEmail) return {}
  return { holdings: await holdingsOf(context, emailOwner, store) }
}

/** What a user has that may have been added by someone who never proved the address. */
export interface Holdings {
  /** An account that needs no proof of it, such as a passkey, or one at a provider that is no longer configured. */
  readonly hasUnproven: boolean
  /** An account that proves it. Where accounts cannot be listed, `true` unless a passkey may have been there. */
  readonly hasProven: boolean
  /**
   * Nothing but passkeys, or nothing any more where there may have been one and mail opens nothing either. `false` where
   * accounts cannot be listed, or where users may have passwords, which are no accounts.
   */
  readonly isPasskeysOnly: boolean
}

async function holdingsOf(context: Context, user: AdapterUser, store: Store): Promise<Holdings> {
  const { providers } = context.settings
  const mayHaveGone = passkeyProviders(providers).length > 0
  if (!store.has("listAccountsByUserId")) {
    const hasUnproven = (await passkeysOf(context, user, store)).length > 0
    return { hasUnproven, hasProven: !mayHaveGone, isPasskeysOnly: false }
  }
  const accounts = await store.listAccountsByUserId(user.id)
  const mayHavePassword = [...providers.values()].some(({ type }) => type === "credentials")
  const hadPasskeys = accounts.length > 0 || (mayHaveGone && !hasMail(providers))
  return {
    hasUnproven: accounts.some((account) => !provesEmail(context, account)),
    hasProven: accounts.some((account) => provesEmail(context, account)),
    isPasskeysOnly: !mayHavePassword && hadPasskeys && accounts.every(isPasskey),
  }
}

/** The accounts of the user's authenticators. An authenticator without its account signs nobody in. */
async function passkeysOf(context: Context, user: AdapterUser, store: Store): Promise<readonly AccountKey[]> {
  const providers = passkeyProviders(context.settings.providers)
  // Adapters whose tables were made without passkeys have no authenticators.
  if (providers.length === 0 || !store.has("listAuthenticatorsByUserId")) return []
  const rows = await store.listAuthenticatorsByUserId(user.id)
  const found: AccountKey[] = []
  for (const { providerAccountId } of rows) {
    for (const provider of providers) {
      const owner = await store.getUserByAccount({ provider, providerAccountId })
      if (owner && String(owner.id) === String(user.id)) found.push({ provider, providerAccountId })
    }
  }
  return found
}

/** The accounts of a user, and those among them that need no proof of the address. */
export interface Held {
  readonly all: readonly AccountKey[]
  readonly unproven: readonly AccountKey[]
}

/** The accounts of a user. Adapters that cannot list them give the passkeys alone. */
export async function accountsOf(context: Context, user: AdapterUser, store: Store): Promise<readonly AccountKey[]> {
  return (await heldBy(context, user, store)).all
}

/**
 * The accounts that need no proof of the address: passkeys, and accounts of providers whose addresses neither their file
 * nor the configuration calls verified. Adapters that cannot list accounts give the passkeys alone.
 */
export async function unprovenAccounts(
  context: Context,
  user: AdapterUser,
  store: Store,
): Promise<readonly AccountKey[]> {
  return (await heldBy(context, user, store)).unproven
}

/** See {@link accountsOf} and {@link unprovenAccounts}. */
export async function heldBy(context: Context, user: AdapterUser, store: Store): Promise<Held> {
  if (!store.has("listAccountsByUserId")) {
    const passkeys = await passkeysOf(context, user, store)
    return { all: passkeys, unproven: passkeys }
  }
  const all = await store.listAccountsByUserId(user.id)
  return { all, unproven: all.filter((account) => !provesEmail(context, account)) }
}
