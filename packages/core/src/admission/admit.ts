/** Carries out a decision: writes the rows in order, and collects each event after its write. */
import type { Context } from "../context/context.js"
import {
  AccessDenied,
  AccountNotLinked,
  OAuthAccountNotLinked,
  ReauthenticationRequired,
  WebAuthnVerificationError,
} from "../errors.js"
import type { Proof } from "../methods/method.js"
import type { AuthEvent } from "../ports/events.js"
import type { Store } from "../ports/store.js"
import type { Login } from "../sessions/strategy.js"
import type { AccountKey, AdapterAccount } from "../types/adapter.js"
import type { AdapterUser, User } from "../types/identity.js"
import {
  keepTokens,
  leavesOut,
  linkAddress,
  linkOnce,
  markProven,
  removeUnproven,
  unprovenAccountFor,
  withArrivingAddress,
} from "./address.js"
import { type Decision, decide, type RefusalReason } from "./decide.js"
import type { Facts } from "./facts.js"
import { endPredecessor } from "./predecessor.js"

/** A user who was admitted, and the events to announce. */
export interface Admission {
  readonly login: Login
  readonly events: readonly AuthEvent[]
  /** The user as it was, where the owner has proven the address for the first time. */
  readonly claimed?: AdapterUser
}

interface Work {
  readonly proof: Proof
  readonly store: Store
  readonly events: AuthEvent[]
  /** A new user is stored together with what belongs to it, as far as the adapter knows it. */
  readonly isOneStep: boolean
}

/**
 * Carries out a decision on `store` (the transaction's, where there is one).
 * @throws OAuthAccountNotLinked, AccountNotLinked, AccessDenied for a refusal; AdapterError when a write fails.
 */
export async function admit(
  context: Context,
  { facts, store }: { readonly facts: Facts; readonly store: Store },
): Promise<Admission> {
  const { proof } = facts
  const decision = decide(facts)
  if (decision.kind === "refuse") throw refusal(decision.reason, facts)
  const isOneStep = decision.kind === "register" && registersInOneStep(context, { proof, store })
  const work: Work = { proof, store, events: [], isOneStep }
  const user = await admitUser(context, decision, work)
  const keep = () => keepAuthenticator(user, work)
  await (decision.kind === "register" ? orUndone(context, { store, user, proof }, keep) : keep())
  const isNew = decision.kind === "enter" ? decision.isNew : decision.kind === "register"
  const account = proof.policy.showsOwner ? { ...proof.account, userId: user.id as string } : proof.account
  const unprovenAccount = await unprovenAccountFor({ facts, decision, user })
  return {
    login: {
      user: withArrivingAddress(user, proof),
      account,
      isNew,
      ...(unprovenAccount !== undefined && { unprovenAccount }),
      ...(decision.kind === "link" && facts.currentUser && { addsAccount: true as const }),
      ...(proof.profile && { profile: proof.profile }),
      ...(proof.authTime !== undefined && { authTime: proof.authTime }),
      ...(proof.answered && { answered: proof.answered }),
    },
    events: work.events,
    ...claimedBy(decision, proof),
  }
}

/** Whose accounts ended, because the owner of the address has come. */
function claimedBy(decision: Decision, { policy }: Proof): Pick<Admission, "claimed"> {
  const isByEmail = decision.kind === "enter" && decision.isNew !== undefined && policy.foundBy === "email"
  if (!isByEmail && !(decision.kind === "link" && decision.isOwner)) return {}
  const user = decision.user as AdapterUser
  return user.emailVerified ? {} : { claimed: user }
}

const tooOld =
  "The session does not meet the policy of adding an account: by default, a sign-in of the last 15 minutes. Let the person sign in again, then link the account."

const lookAlike =
  "The id of the account is a number in digits of another script or with letters that nobody sees: the database may take it for the account of the plain number. Let the adapter say `comparesExactly` if it never does."

/** The error of a refused sign-in. */
export function refusal(reason: RefusalReason, facts: Facts): Error {
  const { proof, currentUser, accountOwner, currentSession, mayBeUnproven } = facts
  const cause = { provider: proof.account.provider }
  if (reason === "AccessDenied") return new AccessDenied(lookAlike, { cause })
  if (reason === "ReauthenticationRequired") return new ReauthenticationRequired(tooOld, { cause })
  const message =
    currentUser && !accountOwner && (mayBeUnproven || currentSession?.unprovenAccount !== undefined)
      ? "The address of the signed-in user is not proven. Prove it first, by e-mail or with a provider that has verified it; then link the account."
      : "The account, or its address, belongs to another user. Sign in with the method you used first, then link it."
  return reason === "AccountNotLinked"
    ? new AccountNotLinked(message, { cause })
    : new OAuthAccountNotLinked(message, { cause })
}

async function admitUser(
  context: Context,
  decision: Exclude<Decision, { kind: "refuse" }>,
  work: Work,
): Promise<AdapterUser | User> {
  if (decision.kind === "register") return register(context, work)
  if (decision.kind === "link") {
    if (decision.isOwner) await removeUnproven(context, { ...work, user: decision.user })
    await link(context, work, decision.user)
    return decision.user
  }
  if (work.proof.policy.foundBy !== "email") {
    await keepTokens(work)
    return decision.user
  }
  const user = decision.user as AdapterUser
  await removeUnproven(context, { ...work, user })
  const proven = await markProven(context, { ...work, user })
  await linkAddress(context, { ...work, user: proven })
  return proven
}

async function register(context: Context, work: Work): Promise<AdapterUser> {
  const { proof, store, events } = work
  const isByEmail = proof.policy.foundBy === "email"
  const draft = {
    ...proof.user,
    email: leavesOut(context, proof) ? "" : (proof.user.email ?? ""),
    emailVerified: isByEmail ? context.now : null,
  } as AdapterUser
  if (work.isOneStep && proof.stored) {
    const { provider, providerAccountId } = proof.stored
    const user = await store.createUserWithAccount(draft, proof.stored, proof.authenticator)
    const own = { provider, providerAccountId }
    await orUndone(context, { store, user }, () => endPredecessor(context, { user, drawn: draft.id, store, own }))
    const account = { ...proof.stored, userId: user.id }
    events.push({ kind: "createUser", message: { user } }, linked({ user, account, proof }))
    return user
  }
  const user = await store.createUser(draft)
  events.push({ kind: "createUser", message: { user } })
  await orUndone(context, { store, user }, () => endPredecessor(context, { user, drawn: draft.id, store }))
  await orUndone(context, { store, user, proof }, () =>
    isByEmail ? linkAddress(context, { ...work, user }) : link(context, work, user),
  )
  return user
}

/** A user with an address can sign in by mail without an account; any other user needs its account. */
function registersInOneStep(context: Context, { proof, store }: Pick<Work, "proof" | "store">): boolean {
  const isByAccount = proof.policy.foundBy === "account"
  return isByAccount && store.has("createUserWithAccount") && !hasTransactions(context)
}

interface Created {
  readonly store: Store
  /** As it was created. */
  readonly user: AdapterUser | User
  /** Left out while accounts of somebody who had the id before may be there: none is the owner's then. */
  readonly proof?: Proof
}

/** A step after which a new user is whole. */
async function orUndone(context: Context, created: Created, step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    await undo(context, created)
    throw error
  }
}

/** Without a transaction a user without an account would keep the address for ever. */
async function undo(context: Context, created: Created): Promise<void> {
  const { store, user } = created
  if (hasTransactions(context) || !store.has("deleteUser")) return
  try {
    if (!(await isTaken(created))) await store.deleteUser(user.id as string)
  } catch (error) {
    context.log.error(error as Error)
  }
}

/** Has the owner of the address signed in as this user since it was created? By now it is theirs. */
async function isTaken({ store, user, proof }: Created): Promise<boolean> {
  const id = user.id as string
  const wasProven = Boolean((user as AdapterUser).emailVerified)
  if (!wasProven && store.has("getUser") && (await store.getUser(id))?.emailVerified) return true
  if (!proof || !store.has("listAccountsByUserId")) return false
  return (await store.listAccountsByUserId(id)).some((one) => isAnother(one, proof.account))
}

/** Is it another account than this one? Stores may give a number for its id. */
export function isAnother(one: AccountKey, { provider, providerAccountId }: AccountKey): boolean {
  return one.provider !== provider || String(one.providerAccountId) !== String(providerAccountId)
}

/** Asks the store outside of the transaction: the adapter inside one need not offer `transaction`. */
const hasTransactions = ({ settings }: Context): boolean => settings.store.has("transaction")

async function link(context: Context, { proof, store, events }: Work, user: AdapterUser): Promise<void> {
  if (!proof.stored) return
  const account: AdapterAccount = { ...proof.stored, userId: user.id }
  if (await linkOnce(context, { store, user, account })) events.push(linked({ user, account, proof }))
}

function linked({ user, account, proof }: { user: AdapterUser; account: AdapterAccount; proof: Proof }): AuthEvent {
  return { kind: "linkAccount", message: { user, account, profile: proof.user } }
}

async function keepAuthenticator(user: AdapterUser | User, { proof, store, isOneStep }: Work): Promise<void> {
  if (proof.counter) await advance(store, proof.counter)
  if (!proof.authenticator) return
  // An adapter may store an account together with its user, but not the authenticator with them.
  if (isOneStep && (await store.getAuthenticator(proof.authenticator.credentialID))) return
  await store.createAuthenticator({ ...proof.authenticator, userId: user.id as string })
}

/**
 * Keeps the counter that a passkey has sent. It is compared once more with the stored one, because a later response of the
 * same passkey may have been accepted meanwhile: a counter never runs back (WebAuthn §7.2 step 22).
 */
async function advance(store: Store, { credentialID, value }: NonNullable<Proof["counter"]>): Promise<void> {
  const stored = value === 0 ? null : await store.getAuthenticator(credentialID)
  if (stored && Number(stored.counter) >= value) {
    throw new WebAuthnVerificationError("Another response of this passkey was accepted meanwhile. Sign in again.")
  }
  await store.updateAuthenticatorCounter(credentialID, value)
}
