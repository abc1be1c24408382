/** One account for one user, also when two requests of the same person link it at once. */
import type { Context } from "../context/context.js"
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
