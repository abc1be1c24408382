/** Is this person admitted, and as which user: one pure function from facts to a decision. */
import type { ErrorType } from "../errors.js"
import type { Proof } from "../methods/method.js"
import type { AdapterUser, User } from "../types/identity.js"
import type { Facts } from "./facts.js"

/** Why somebody is not admitted. */
export type RefusalReason = Extract<
  ErrorType,
  "OAuthAccountNotLinked" | "AccountNotLinked" | "ReauthenticationRequired" | "AccessDenied"
>

/** What is to be done. */
export type Decision =
  | { readonly kind: "refuse"; readonly reason: RefusalReason }
  /** The user already has the account. */
  | { readonly kind: "enter"; readonly user: AdapterUser | User; readonly isNew: false | undefined }
  /** The account is new and goes to a known user. `isOwner`: the owner has proven the address, so accounts and sessions that others added at it end. */
  | { readonly kind: "link"; readonly user: AdapterUser; readonly isOwner: boolean }
  | { readonly kind: "register" }

const refuse = (reason: RefusalReason): Decision => ({ kind: "refuse", reason })
const enter = (user: AdapterUser | User): Decision => ({ kind: "enter", user, isNew: false })

/** Decides. Pure and synchronous. */
export function decide(facts: Facts): Decision {
  const { proof, hasStore, emailOwner } = facts
  const { foundBy } = proof.policy
  if (foundBy === "application") return enter(proof.user)
  if (!hasStore) return { kind: "enter", user: proof.user, isNew: undefined }
  if (foundBy === "email") return emailOwner ? enter(emailOwner) : { kind: "register" }
  const decision = decideAccount(facts, proof.policy.refusal)
  const isAdded = decision.kind === "link" || decision.kind === "register"
  return isAdded && facts.isLookAlike ? refuse("AccessDenied") : decision
}

function decideAccount(facts: Facts, reason: RefusalReason): Decision {
  const { proof, currentUser, isOtherVisitor, accountOwner, emailOwner } = facts
  // The id of a new credential is whatever its authenticator says: an existing one with this id proves nothing.
  if (accountOwner && !currentUser && proof.authenticator) return refuse(reason)
  if (accountOwner) {
    const isAnother = currentUser && String(currentUser.id) !== String(accountOwner.id)
    return isAnother ? refuse(reason) : enter(accountOwner)
  }
  // Who began the flow is signed out: whom a new account should go to cannot be determined any more.
  if (isOtherVisitor) return refuse(reason)
  // A passkey whose account has been removed must not sign in.
  if (proof.counter) return refuse(reason)
  if (currentUser) return decideForCurrent(facts, currentUser, reason)
  return emailOwner ? decideByAddress(facts, emailOwner, reason) : { kind: "register" }
}

/**
 * A session that began at an unproven address may belong to an attacker. An account of a provider that it links would stay
 * when the owner of the address signs in; passkeys are removed then, and an account that proves the address is the owner's.
 */
function decideForCurrent(
  { proof, currentSession, mayBeUnproven, ownerMayArrive, isStale }: Facts,
  currentUser: AdapterUser,
  reason: RefusalReason,
): Decision {
  const isUnproven = (mayBeUnproven || currentSession?.unprovenAccount !== undefined) && ownerMayArrive
  if (isUnproven && !proof.policy.isRemovable && !provesAddressOf(currentUser, proof)) return refuse(reason)
  if (isStale) return refuse("ReauthenticationRequired")
  return { kind: "link", user: currentUser, isOwner: false }
}

function provesAddressOf({ email }: AdapterUser, { emailStatus, policy, user }: Proof): boolean {
  return emailStatus === "verified" && policy.provesEmail && user.email === email.toLowerCase()
}

/** An address that the provider does not verify must not sign in as its user, nor may it sign in as a user whose address is unproven. */
function decideByAddress(facts: Facts, emailOwner: AdapterUser, reason: RefusalReason): Decision {
  const { proof, holdings, hasUnverifying } = facts
  if (proof.emailStatus === "unverified") return refuse(reason)
  const mayBePlanted = !emailOwner.emailVerified && (hasUnverifying || holdings?.hasUnproven === true)
  const isOwner = proof.emailStatus === "verified" && !emailOwner.emailVerified
  // What somebody else has prepared may be gone, and their session not.
  if (proof.mayLinkByEmail && !mayBePlanted)
    return { kind: "link", user: emailOwner, isOwner: isOwner && holdings?.hasProven === false }
  // A user with nothing but passkeys claimed an address and never proved it: there is no other user to protect.
  const mayArrive = proof.mayLinkByEmail || holdings?.isPasskeysOnly === true
  return isOwner && mayArrive ? { kind: "link", user: emailOwner, isOwner: true } : refuse(reason)
}
