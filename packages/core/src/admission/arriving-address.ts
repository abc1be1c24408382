/** The address that a person brings along: whether it goes into the row, is shown, and marks the session. */
import { findsByAddress } from "../config/email-proof.js"
import type { Context } from "../context/context.js"
import type { Proof } from "../methods/method.js"
import { markOf } from "../sessions/mark.js"
import type { AdapterUser, User } from "../types/identity.js"
import type { Decision } from "./decide.js"
import type { Facts } from "./facts.js"

/**
 * Is the address left out of the row of a new user? It is when the provider calls it unverified and people can be found
 * by address: whoever owns it would come into the user of somebody who only claimed it.
 */
export function leavesOut({ settings }: Context, { account, email }: Proof): boolean {
  const provider = settings.providers.get(account.provider)
  if (provider?.type !== "oauth" && provider?.type !== "oidc") return false
  return email === "unverified" && !provider.allowUnverifiedEmail && findsByAddress(settings.providers)
}

/** What callbacks and tokens show of a user whose row has no address: the one that the provider told. */
export function withArrivingAddress<U extends User | AdapterUser>(user: U, { account, user: arriving }: Proof): U {
  const isOAuth = account.type === "oauth" || account.type === "oidc"
  return isOAuth && user.email === "" && arriving.email ? { ...user, email: arriving.email } : user
}

/**
 * The mark of the session that begins, where the address of the user is unproven and what begins it needed no proof: a
 * passkey, or a provider whose addresses nobody calls verified. What is linked to a session changes nothing of it.
 */
export async function markFor(
  { settings }: Context,
  given: { readonly facts: Facts; readonly decision: Decision; readonly user: User | AdapterUser },
): Promise<string | undefined> {
  const { proof, hasStore, here, presence, ownerKey } = given.facts
  const { email, emailVerified } = given.user as AdapterUser
  if (!hasStore || !email || emailVerified || !findsByAddress(settings.providers)) return undefined
  if (given.decision.kind === "link" && here) return presence?.mark
  const { type, provider } = proof.account
  const configured = settings.providers.get(provider)
  const isOAuth = configured?.type === "oauth" || configured?.type === "oidc"
  const needsNoProof = type === "webauthn" || (isOAuth && !configured.callsVerified)
  return needsNoProof ? markOf(ownerKey ?? proof.account) : undefined
}
