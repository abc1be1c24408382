/**
 * A store may give the id of a user who was deleted to the next one. What stands under the id of a user who was created just
 * now is of somebody else then: sessions end, and accounts are removed, before the new user has any.
 */
import type { Context } from "../context/context.js"
import { deleteSessions } from "../ledger/session.js"
import type { Store } from "../ports/store.js"
import { endRowsOf } from "../sessions/database-managed.js"
import { ledgerOf } from "../sessions/managed.js"
import { mayBeGivenAgain } from "../sessions/user-id.js"
import type { AccountKey } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"
import { accountsOf } from "./holdings.js"

/** A user who was created just now. */
export interface Newcomer {
  readonly user: AdapterUser
  /** The id that was drawn for the user. Nobody had it, so that nothing is asked where the store has kept it. */
  readonly drawn: string
  readonly store: Store
  /** The account that was stored together with the user. */
  readonly own?: AccountKey
}

/**
 * Ends what others have under the id of a new user, as far as the adapter can find it. Under an id that no store gives again
 * nothing is looked for: whoever is there is the same person, should the adapter have returned an existing user.
 * @throws AdapterError when the store fails, MissingAdapterMethods when it finds accounts that it cannot remove
 */
export async function endPredecessor(context: Context, newcomer: Newcomer): Promise<void> {
  const id = String(newcomer.user.id)
  if (id === newcomer.drawn || !mayBeGivenAgain(id)) return
  const sessions = await endSessions(context, newcomer)
  const accounts = await removeAccounts(context, newcomer)
  if (sessions + accounts > 0) context.log.warn("id-given-again")
}

/** Says how many there were, as far as records tell. */
async function endSessions(context: Context, { user, store }: Newcomer): Promise<number> {
  const ended = await endRowsOf(context, user, store)
  if (!context.settings.features.sessions) return ended
  return Math.max(await deleteSessions(ledgerOf(context, store), String(user.id)), ended)
}

async function removeAccounts(context: Context, { user, store, own }: Newcomer): Promise<number> {
  let count = 0
  for (const account of await accountsOf(context, user, store)) {
    const { provider, providerAccountId, userId } = account as AccountKey & { readonly userId?: unknown }
    // Of others nothing may be lost, should an adapter list theirs as well.
    if (userId !== undefined && userId !== null && String(userId) !== String(user.id)) continue
    // A store may hand out the id as the number that it keeps.
    if (provider === own?.provider && String(providerAccountId) === own.providerAccountId) continue
    await store.unlinkAccount({ provider, providerAccountId })
    count++
  }
  return count
}
