/**
 * The owner of an unproven address arrives while somebody else signs in at it, or adds a passkey: databases let neither of
 * the two transactions see the other. Both look again once they are written; whichever is later finds the other.
 */
import { arrivesByProvider } from "../config/email-proof.js"
import type { Context } from "../context/context.js"
import { hasOwnerArrived } from "../sessions/current-session.js"
import type { Changed } from "../sessions/strategy.js"
import type { AdapterUser } from "../types/identity.js"
import { type Admission, refusal } from "./admit.js"
import type { Facts } from "./facts.js"

/** What somebody has got who was admitted. */
interface Given {
  readonly admission: Admission
  /** A session that began in a row. */
  readonly session?: Changed
}

/** May the owner have come meanwhile without being seen? */
export function mayBeOvertaken(context: Context, facts: Facts, { login }: Admission): boolean {
  return addsRemovable(facts, login) || beginsUnseen(context, login)
}

/**
 * Looks for an owner who came while somebody signed in without proof of the address.
 * @throws AccountNotLinked, OAuthAccountNotLinked when there is one: what was added is taken away again
 */
export async function expectNotOvertaken(context: Context, facts: Facts, given: Given): Promise<void> {
  const { settings } = context
  const { login } = given.admission
  const adds = addsRemovable(facts, login)
  const user = login.user as AdapterUser
  const asked = { user: adds ? await settings.store.getUser(user.id) : user, unprovenAccount: login.unprovenAccount }
  if (!asked.user?.emailVerified && !(await hasOwnerArrived(settings, asked))) return
  const { provider, providerAccountId } = facts.proof.account
  if (adds) await settings.store.unlinkAccount({ provider, providerAccountId })
  for (const change of given.session?.cookies ?? [])
    if (change.role === "sessionToken" && "value" in change) await settings.store.deleteSession(change.value)
  throw refusal(facts.proof.policy.refusal, facts)
}

type Login = Admission["login"]

/** Only what can be taken away is linked to a session at an unproven address. */
function addsRemovable({ proof, currentUser }: Facts, { addsAccount }: Login): boolean {
  return addsAccount === true && proof.policy.isRemovable && !currentUser?.emailVerified
}

/** A row that the owner deletes with all others, so that nothing more is asked when it is read. A new user has no owner yet. */
function beginsUnseen({ settings }: Context, { isNew, unprovenAccount }: Login): boolean {
  const { providers, store, strategy } = settings
  if (isNew || unprovenAccount === undefined || strategy !== "database") return false
  return store.has("deleteSessionsByUserId") && arrivesByProvider(providers)
}
