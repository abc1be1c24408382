/** One account for one user, also when two requests of the same person link it at once; and the tokens it keeps. */
import type { Context } from "../context/context.js"
import type { Proof } from "../methods/method.js"
import type { Store } from "../ports/store.js"
import type { AdapterAccount } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"

/**
 * Links an account. Answers `false` when another request has just linked it to the same user.
 * @throws AdapterError when it cannot be linked.
 */
export async function linkOnce(
  { settings }: Context,
  { store, user, account }: { store: Store; user: AdapterUser; account: AdapterAccount },
): Promise<boolean> {
  try {
    await store.linkAccount(account)
    return true
  } catch (error) {
    // A failure ends a transaction: nothing can be asked in it any more, and its work is tried again as a whole.
    if (settings.store.has("transaction") || !store.has("getUserByAccount")) throw error
    const { provider, providerAccountId } = account
    const owner = await store.getUserByAccount({ provider, providerAccountId }).catch(() => null)
    if (owner && String(owner.id) === String(user.id)) return false
    throw error
  }
}

/**
 * Keeps what the provider handed out at this sign-in: providers that rotate refresh tokens have revoked the stored one
 * (RFC 9700 §4.14.2). What did not come again, such as a refresh token, stays as it is stored.
 */
export async function keepTokens({ proof, store }: { readonly proof: Proof; readonly store: Store }): Promise<void> {
  const { stored } = proof
  if (!stored || !store.has("updateAccount") || (stored.type !== "oauth" && stored.type !== "oidc")) return
  const { provider, providerAccountId, type: _, userId: __, ...members } = stored
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== null)
  if (given.length > 0) await store.updateAccount({ ...Object.fromEntries(given), provider, providerAccountId })
}
