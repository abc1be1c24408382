/** What is known of a person who has authenticated, and of the users concerned. Reads only. */
import { ownerMayArrive, unverifyingProviders } from "../config/email-proof.js"
import type { Context } from "../context/context.js"
import type { Proof } from "../methods/method.js"
import { mayBeUnproven, sessionBinding } from "../methods/session-binding.js"
import { mayBeIdOf, mayFold, mayHaveNumber } from "../ports/exactness.js"
import type { Store } from "../ports/store.js"
import { isActing } from "../sessions/acting.js"
import { readAgain } from "../sessions/current-session.js"
import { selectStrategy } from "../sessions/select.js"
import type { CurrentSession } from "../sessions/strategy.js"
import { fromModule } from "../std/lazy.js"
import type { AccountKey } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"
import { type Held, type Holdings, heldBy, holdingsFor } from "./holdings.js"
import { seemsGivenOut } from "./look-alike.js"

const unmetPolicy = fromModule(
  () => import("../sessions/account-policy.js"),
  (module) => module.unmetPolicy,
)

/** The proof, and the users it concerns. */
export interface Facts {
  readonly proof: Proof
  /** There is a store to look things up in. */
  readonly hasStore: boolean
  /** The user who is signed in already; in a flow only the one who began it. */
  readonly currentUser: AdapterUser | null
  /** Somebody else began the flow, or the user has signed out since: only an account that is stored already may sign in. */
  readonly isOtherVisitor: boolean
  readonly accountOwner: AdapterUser | null
  /** The key under which the owner was found, where it is not that of the proof. */
  readonly accountKey?: AccountKey
  readonly emailOwner: AdapterUser | null
  /** The store may find a new account of this id by the id of somebody else. */
  readonly isLookAlike?: true
  /** The session of the current user. */
  readonly currentSession?: CurrentSession | undefined
  /** That session may have begun at an unproven address, and its token need not say so: the engine has not made it, or not sealed it. */
  readonly mayBeUnproven?: true
  /** In that case, the accounts of that user. */
  readonly heldBefore?: Held
  /** That session does not meet the policy of adding an account. */
  readonly isStale?: true
  /** What the user with the address holds; asked only where the address is unproven. */
  readonly holdings?: Holdings | undefined
  /** The owner of an unproven address could still sign in as its user. */
  readonly ownerMayArrive: boolean
  /** A provider is configured that does not say that addresses are verified. */
  readonly hasUnverifying: boolean
}

/** Where the facts are looked up. */
export interface Around {
  /** The transaction's, where there is one. */
  readonly store: Store
  /** Facts that were read before: the current user may have signed out since, and no callback is called again. */
  readonly before?: Facts
}

/** Gathers the facts, asking the store for no more than the decision needs. */
export async function gatherFacts(context: Context, proof: Proof, around: Around): Promise<Facts> {
  const { store } = around
  const { providers } = context.settings
  const nobody: Facts = {
    proof,
    hasStore: store.isPresent,
    currentUser: null,
    isOtherVisitor: false,
    accountOwner: null,
    emailOwner: null,
    ownerMayArrive: ownerMayArrive(providers),
    hasUnverifying: unverifyingProviders(providers).length > 0,
    ...(!store.comparesExactly && seemsGivenOut(proof.account.providerAccountId) && { isLookAlike: true }),
  }
  const { foundBy } = proof.policy
  if (!store.isPresent || foundBy === "application") return nobody
  if (foundBy === "email") return { ...nobody, emailOwner: await findEmailOwner(store, proof) }
  const owner = await findOwner(context, proof, around)
  const found = { ...owner, ...(await currentUserFor(context, proof, around)) }
  const { currentSession } = found
  if (currentSession && !found.accountOwner)
    return { ...nobody, ...found, ...(await sessionToAddTo(context, currentSession, around)) }
  if (found.accountOwner || found.currentUser || found.isOtherVisitor) return { ...nobody, ...found }
  const emailOwner = await findEmailOwner(store, proof)
  if (!emailOwner) return nobody
  // Between the two look-ups another request may have stored this same person.
  const late = await findOwner(context, proof, around)
  if (late.accountOwner) return { ...nobody, ...late }
  return { ...nobody, emailOwner, ...(await holdingsFor(context, emailOwner, { proof, store })) }
}

type Owner = Pick<Facts, "accountOwner" | "accountKey">

/** The owner of the account. Stores that keep types may hold its id as the number that it was before it became a string. */
async function findOwner(context: Context, proof: Proof, around: Around): Promise<Owner> {
  const { store, before } = around
  const { provider } = proof.account
  const byNumber = before?.accountKey
  if (byNumber) return { accountOwner: await store.getUserByAccount(byNumber), accountKey: byNumber }
  const accountOwner = await ownerOf(proof, around)
  // Asked once, and outside of a transaction: a store that only accepts strings may fail, which would end the transaction.
  if (accountOwner || proof.numericId === undefined || before) return { accountOwner }
  const key = { provider, providerAccountId: proof.numericId as unknown as string }
  try {
    const numbered = await store.getUserByAccount(key)
    const isRead = numbered && !store.comparesExactly && store.has("getAccount")
    const isIt =
      !isRead || mayHaveNumber(await store.getAccount(key.providerAccountId, provider), key.providerAccountId)
    return numbered && isIt ? { accountOwner: numbered, accountKey: key } : { accountOwner: null }
  } catch (error) {
    context.log.error(error as Error)
    return { accountOwner: null }
  }
}

/** A database may find the account of another id: the account is looked at again, where that could be. Ids of passkeys nobody chooses. */
async function ownerOf({ account }: Proof, { store, before }: Around): Promise<AdapterUser | null> {
  const { provider, providerAccountId, type } = account
  const accountOwner = await store.getUserByAccount({ provider, providerAccountId })
  if (!accountOwner || String(accountOwner.id) === String(before?.accountOwner?.id)) return accountOwner
  if (store.comparesExactly || type === "webauthn" || !mayFold(providerAccountId)) return accountOwner
  const found = store.has("getAccount") ? await store.getAccount(providerAccountId, provider) : null
  return mayBeIdOf(found, providerAccountId) ? accountOwner : null
}

type Current = Pick<Facts, "currentUser" | "isOtherVisitor" | "currentSession">

/** RFC 6749 §10.12: the response of a flow belongs to the session that began it, not to any that is there where it arrives. */
async function currentUserFor(context: Context, { begunBy }: Proof, { store, before }: Around): Promise<Current> {
  if (before) return currentUserStill(context, before, store)
  if (begunBy?.kind === "nobody") return { currentUser: null, isOtherVisitor: false }
  const currentSession = (await selectStrategy(context.settings).peek(context)) ?? undefined
  const currentUser = currentSession?.user ?? null
  // An account that is added would still be there when the time of acting is over.
  if (currentUser && (await isActing(context))) return { currentUser: null, isOtherVisitor: true }
  if (!begunBy) return { currentUser, isOtherVisitor: false, currentSession }
  if (begunBy.kind === "unknown") return { currentUser: null, isOtherVisitor: currentUser !== null }
  const isHere = currentSession !== undefined && String(currentSession.user.id) === begunBy.id
  return isHere && (await sessionBinding(context, currentSession)) === begunBy.session
    ? { currentUser, isOtherVisitor: false, currentSession }
    : { currentUser: null, isOtherVisitor: true }
}

/** Whoever was signed in when the application was asked may be signed out by now. */
async function currentUserStill(
  context: Context,
  { isOtherVisitor, currentSession }: Facts,
  store: Store,
): Promise<Current> {
  if (!currentSession) return { currentUser: null, isOtherVisitor }
  const still = await readAgain(context, currentSession, store)
  return still
    ? { currentUser: still.user, isOtherVisitor, currentSession: still }
    : { currentUser: null, isOtherVisitor: true }
}

/** What counts against adding an account to the user of a session. Whether it is recent enough was determined before the application was asked. */
async function sessionToAddTo(
  context: Context,
  session: CurrentSession,
  { store, before }: Around,
): Promise<Pick<Facts, "mayBeUnproven" | "heldBefore" | "isStale">> {
  const isStale = before ? before.isStale : context.settings.features.accountPolicy && (await unmetPolicy(context))
  const isUnsaid = await mayBeUnproven(context, session, store)
  return {
    ...(isUnsaid && { mayBeUnproven: true, heldBefore: await heldBy(context, session.user, store) }),
    ...(isStale && { isStale: true }),
  }
}

async function findEmailOwner(store: Store, { user }: Proof): Promise<AdapterUser | null> {
  return user.email ? store.getUserByEmail(user.email) : null
}
