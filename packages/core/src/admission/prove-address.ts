/** The real owner of an address arrives: what an unproven person planted goes, the date is kept, the address becomes an account. */
import type { Context } from "../context/context.js"
import type { Proof } from "../methods/method.js"
import type { AuthEvent } from "../ports/events.js"
import type { Store } from "../ports/store.js"
import type { AdapterUser } from "../types/identity.js"
import { unprovenAccounts } from "./holdings.js"
import { linkOnce } from "./link.js"

/** Whose address, and where to write. */
export interface Arrival {
  readonly user: AdapterUser
  readonly proof: Proof
  readonly store: Store
  readonly events: AuthEvent[]
}

/**
 * The owner of an address arrives: the accounts that needed no proof of it go, and the sessions of the user end. Does
 * nothing for a user whose address is proven. What an adapter cannot list or end stays; marked sessions are over anyway.
 */
export async function expelUnproven(context: Context, { user, store }: Omit<Arrival, "proof">): Promise<void> {
  if (user.emailVerified) return
  if (store.has("unlinkAccount")) {
    for (const { provider, providerAccountId } of await unprovenAccounts(context, user, store)) {
      await store.unlinkAccount({ provider, providerAccountId })
    }
  }
  const hasRows = context.settings.strategy === "database"
  if (hasRows && store.has("deleteSessionsByUserId")) await store.deleteSessionsByUserId(user.id)
}

/** Keeps the date of the FIRST successful e-mail sign-in; a later one changes nothing. */
export async function markProven(context: Context, { user, store, events }: Arrival): Promise<AdapterUser> {
  if (user.emailVerified) return user
  const updated = await store.updateUser({ id: user.id, emailVerified: context.now })
  events.push({ kind: "updateUser", message: { user: updated } })
  return updated
}

/** Links the address as an account of its own, where the store can; one that belongs to somebody else is left alone. */
export async function linkAddress(context: Context, { user, proof, store, events }: Arrival): Promise<void> {
  if (!proof.stored || !store.has("linkAccount") || !store.has("getUserByAccount")) return
  const { provider, providerAccountId } = proof.stored
  const owner = await store.getUserByAccount({ provider, providerAccountId })
  if (owner) {
    if (String(owner.id) !== String(user.id)) context.log.warn("account-owned-by-other")
    return
  }
  const account = { ...proof.stored, userId: user.id }
  if (!(await linkOnce(context, { store, user, account }))) return
  events.push({ kind: "linkAccount", message: { user, account, profile: proof.user } })
}
