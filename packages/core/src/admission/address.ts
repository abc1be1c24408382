/** The address of a person who signs in: whether it is kept, shown and linked, and what ends once its owner has proven it. */
import { findsByAddress } from "../config/email-proof.js"
import type { Context } from "../context/context.js"
import { AccountNotLinked } from "../errors.js"
import { deleteSessions } from "../ledger/session.js"
import type { Proof } from "../methods/method.js"
import type { AuthEvent } from "../ports/events.js"
import type { Store } from "../ports/store.js"
import { accountDigest } from "../sessions/current-session.js"
import { endRowsOf } from "../sessions/database-managed.js"
import { ledgerOf, orLogged } from "../sessions/managed.js"
import type { AccountKey, AdapterAccount } from "../types/adapter.js"
import type { AdapterUser, User } from "../types/identity.js"
import type { Decision } from "./decide.js"
import type { Facts } from "./facts.js"
import { unprovenAccounts } from "./holdings.js"

/**
 * Is the address left out of the row of a new user? It is when the provider calls it unverified and people can be found
 * by address: its owner would sign in as the user of a person who only claimed it.
 */
export function leavesOut({ settings }: Context, { emailStatus, policy }: Proof): boolean {
  return emailStatus === "unverified" && !policy.keepsUnverifiedEmail && findsByAddress(settings.providers)
}

/** What callbacks and tokens show of a user whose row has no address: the one that came from the provider. */
export function withArrivingAddress<U extends User | AdapterUser>(user: U, { user: arriving }: Proof): U {
  return user.email === "" && arriving.email ? { ...user, email: arriving.email } : user
}

/**
 * A digest of the account that begins the session, where the address of the user is unproven and the sign-in needed no
 * proof of it: a passkey, a provider that does not verify addresses, or one that says that it has not verified this very
 * address. Linking an account to a session changes nothing.
 * Nor does it matter whether users are found by address yet: the session may still be there when they are.
 */
export async function unprovenAccountFor(given: {
  readonly facts: Facts
  readonly decision: Decision
  readonly user: User | AdapterUser
}): Promise<string | undefined> {
  const { proof, hasStore, currentUser, currentSession, accountKey } = given.facts
  const { email, emailVerified } = given.user as AdapterUser
  if (!hasStore || !email || emailVerified) return undefined
  if (given.decision.kind === "link" && currentUser) return currentSession?.unprovenAccount
  const isUnverified = proof.emailStatus === "unverified" && proof.user.email?.toLowerCase() === email.toLowerCase()
  return proof.policy.provesEmail && !isUnverified ? undefined : accountDigest(accountKey ?? proof.account)
}

/** Whose address, and where to write. */
export interface Arrival {
  readonly user: AdapterUser
  readonly proof: Proof
  readonly store: Store
  readonly events: AuthEvent[]
}

/**
 * The owner of an address signs in: accounts that needed no proof of it are removed, and the sessions of the user end. Does
 * nothing for a user whose address is proven. What an adapter cannot list or end stays; sessions that carry the digest of such an account end anyway.
 */
export async function removeUnproven(
  context: Context,
  { user, store, except }: Pick<Arrival, "user" | "store"> & { readonly except?: AccountKey },
): Promise<void> {
  if (user.emailVerified) return
  if (store.has("unlinkAccount")) {
    for (const { provider, providerAccountId } of await unprovenAccounts(context, user, store)) {
      if (provider === except?.provider && providerAccountId === except.providerAccountId) continue
      await store.unlinkAccount({ provider, providerAccountId })
    }
  }
  await endRowsOf(context, user, store)
}

/**
 * The same once more, when it is committed: requests that did not see it may have linked accounts, or given their sessions new
 * rows. Records go before rows: whoever writes a row looks for its record afterwards, and finds none, or has written it before
 * it is removed here.
 */
export async function removeUnseen(
  context: Context,
  { user, except }: { readonly user: AdapterUser; readonly except: AccountKey },
): Promise<void> {
  const { store, strategy, features } = context.settings
  if (strategy === "database" && features.sessions && store.has("deleteSessionsByUserId"))
    await deleteSessions(ledgerOf(context), String(user.id))
  // Other instances, or an earlier configuration, may keep sessions in rows, and rely on their removal. The table may be gone.
  if (strategy === "jwt" && store.has("deleteSessionsByUserId"))
    await orLogged(context.log, async () => store.deleteSessionsByUserId(user.id))
  await removeUnproven(context, { user, store, except })
}

/**
 * Keeps the date of the FIRST successful e-mail sign-in; a later one changes nothing.
 * @throws AccountNotLinked when the row has got another address meanwhile: nobody has proven that one
 */
export async function markProven(context: Context, { user, store, events }: Arrival): Promise<AdapterUser> {
  if (user.emailVerified) return user
  const answer = await store.updateUser({ id: user.id, emailVerified: context.now })
  // Some adapters answer what they were given, without the address.
  const updated = answer.email || !store.has("getUser") ? answer : ((await store.getUser(user.id)) ?? answer)
  if (updated.email && updated.email !== user.email) {
    // Where there is a transaction, the failure undoes it.
    if (!context.settings.store.has("transaction")) await store.updateUser({ id: user.id, emailVerified: null })
    throw new AccountNotLinked("The address of the user was changed meanwhile. Sign in again.")
  }
  events.push({ kind: "updateUser", message: { user: updated } })
  return updated
}

/** Links the address as an account of its own, where the store can; one that belongs to another user is left alone. */
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
  if (!stored || !store.has("updateAccount")) return
  const { provider, providerAccountId, type: _, userId: __, ...members } = stored
  const given = Object.entries(members).filter(([, value]) => value !== undefined && value !== null)
  if (given.length > 0) await store.updateAccount({ ...Object.fromEntries(given), provider, providerAccountId })
}
