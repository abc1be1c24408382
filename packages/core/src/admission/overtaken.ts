/**
 * The owner of an unproven address arrives while somebody else registers or signs in at it, or adds a passkey: databases let
 * neither of the two transactions see the other. Both look again once they are written; whichever is later finds the other.
 */
import { arrivesByProvider, ownerMayArrive } from "../config/email-proof.js"
import { announceAndThrow } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { hasOwnerArrived } from "../sessions/current-session.js"
import type { Changed } from "../sessions/strategy.js"
import type { AccountKey } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"
import { type Admission, isAnother, refusal } from "./admit.js"
import type { Facts } from "./facts.js"
import { type Held, heldBy } from "./holdings.js"
import { endWhatItOpened } from "./standing.js"

/** What somebody has got who was admitted. */
interface Given {
  readonly admission: Admission
  /** A session that began in a row. */
  readonly session?: Changed
}

/** May the owner have come meanwhile without being seen? */
export function mayBeOvertaken(context: Context, facts: Facts, { login }: Admission): boolean {
  return addsRemovable(facts, login) || isMadeInSteps(context, login) || beginsUnseen(context, login)
}

/**
 * Looks for an owner who came while somebody signed in without proof of the address.
 * @throws AccountNotLinked, OAuthAccountNotLinked when there is one: what was added is taken away again
 */
export async function expectNotOvertaken(context: Context, facts: Facts, given: Given): Promise<void> {
  const { events } = given.admission
  const refused = await lookForOwner(context, facts, given).catch((error: unknown) =>
    announceAndThrow(context, events, error),
  )
  if (!refused) return
  // The user who was created is that of the owner from now on.
  const created = events.filter(({ kind }) => kind === "createUser")
  return announceAndThrow(context, created, refused)
}

/** The refusal of who was overtaken, once what was added is taken away again. */
async function lookForOwner(context: Context, facts: Facts, given: Given): Promise<Error | undefined> {
  const { settings } = context
  const { login } = given.admission
  const { provider, providerAccountId } = facts.proof.account
  const isNew = isMadeInSteps(context, login)
  const adds = isNew || addsRemovable(facts, login)
  const user = login.user as AdapterUser
  const { unprovenAccount } = login
  const isReadAgain = adds || saysNothing(context)
  const now = isReadAgain ? await settings.store.getUser(user.id) : user
  const hasCome = Boolean(now?.emailVerified) || (await hasOwnerArrived(settings, { user: now, unprovenAccount }))
  const isChanged = adds && (await haveChanged(context, user, facts.heldBefore))
  if (!hasCome && !isChanged && !(isNew && (await hasOthers(context, user, facts.proof.account)))) return undefined
  if (adds) {
    await settings.store.unlinkAccount({ provider, providerAccountId })
    await endWhatItOpened(context, user, facts.proof.account)
  }
  for (const change of given.session?.cookies ?? [])
    if (change.role === "sessionToken" && "value" in change) await settings.store.deleteSession(change.value)
  return refusal(facts.proof.policy.refusal, facts)
}

type Login = Admission["login"]

/** Only what can be taken away is linked to a session at an unproven address. */
function addsRemovable({ proof, currentUser }: Facts, { addsAccount }: Login): boolean {
  return addsAccount === true && proof.policy.isRemovable && !currentUser?.emailVerified
}

/**
 * A new user at an unproven address, written in steps: the owner may find the user before account, passkey or session are there.
 * So may an application that has proven the address itself, takes away what others have added and ends their sessions.
 */
function isMadeInSteps({ settings }: Context, { isNew, unprovenAccount }: Login): boolean {
  const { features, providers, store } = settings
  if (!isNew || unprovenAccount === undefined || !(features.sessions || ownerMayArrive(providers))) return false
  return !store.has("transaction") && store.has("getUser") && store.has("unlinkAccount")
}

/** Has a new user an account that somebody else has brought? */
async function hasOthers({ settings }: Context, { id }: AdapterUser, own: AccountKey): Promise<boolean> {
  const { providers, store } = settings
  if (!store.has("listAccountsByUserId") || !arrivesByProvider(providers)) return false
  return (await store.listAccountsByUserId(id)).some((one) => isAnother(one, own))
}

/**
 * Where the token of a session says nothing of its account: is one of the accounts gone that the owner removes, or one there that
 * the owner brings?
 */
async function haveChanged(context: Context, user: AdapterUser, before?: Held): Promise<boolean> {
  if (!before) return false
  const now = await heldBy(context, user, context.settings.store)
  const isIn = (list: readonly AccountKey[], one: AccountKey): boolean => !list.every((other) => isAnother(one, other))
  const isGone = before.unproven.some((one) => !isIn(now.all, one))
  return isGone || now.all.some((one) => !isIn(now.unproven, one) && !isIn(before.all, one))
}

/** Does the application make the tokens of sessions? They do not say how a session began, so that nobody looks when it is read. */
function saysNothing({ settings }: Context): boolean {
  return settings.options["session.generateSessionToken"] !== undefined
}

/**
 * A row that the owner deletes with all others, so that nothing more is asked when it is read. A new user has no owner yet, unless
 * it is made in steps.
 */
function beginsUnseen(context: Context, { isNew, unprovenAccount }: Login): boolean {
  const { features, providers, store, strategy } = context.settings
  if (isNew || unprovenAccount === undefined || strategy !== "database") return false
  const isUnsaid = saysNothing(context)
  // Where rows are not deleted together, those end that have a record; other tokens say themselves how they began.
  if (!store.has("deleteSessionsByUserId") && !(isUnsaid && features.sessions)) return false
  return (isUnsaid ? ownerMayArrive : arrivesByProvider)(providers)
}
