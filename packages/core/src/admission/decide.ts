/** May this proven person come in, and as whom: one pure table from facts to a decision. */
import type { ErrorType } from "../errors.js"
import type { AdapterUser, User } from "../types/identity.js"
import type { Facts } from "./facts.js"

/** What is to be done. */
export type Decision =
  | { readonly kind: "refuse"; readonly reason: Extract<ErrorType, "OAuthAccountNotLinked" | "AccountNotLinked"> }
  /** The person is known. */
  | { readonly kind: "enter"; readonly user: AdapterUser | User; readonly isNew: false | undefined }
  /** The account is new and goes to a known user. `isOwner`: the owner of the address arrives, what others planted ends. */
  | { readonly kind: "link"; readonly user: AdapterUser; readonly isOwner: boolean }
  | { readonly kind: "register" }

type Reason = Extract<Decision, { kind: "refuse" }>["reason"]

const refuse = (reason: Reason): Decision => ({ kind: "refuse", reason })
const enter = (user: AdapterUser | User): Decision => ({ kind: "enter", user, isNew: false })

/** Decides. Pure and synchronous. */
export function decide(facts: Facts): Decision {
  const { proof, hasStore, namesake } = facts
  if (proof.account.type === "credentials") return enter(proof.user)
  if (!hasStore) return { kind: "enter", user: proof.user, isNew: undefined }
  if (proof.account.type === "email") return namesake ? enter(namesake) : { kind: "register" }
  return decideAccount(facts, proof.account.type === "webauthn" ? "AccountNotLinked" : "OAuthAccountNotLinked")
}

function decideAccount(facts: Facts, reason: Reason): Decision {
  const { proof, here, hasLeft, owner, namesake } = facts
  // The id of a new credential is whatever its authenticator says: that somebody has it already lets nobody in.
  if (owner && !here && proof.authenticator) return refuse(reason)
  if (owner) return here && String(here.id) !== String(owner.id) ? refuse(reason) : enter(owner)
  // Who began the flow is not here: whom a new account should go to, nobody can say any more.
  if (hasLeft) return refuse(reason)
  // A passkey whose account is gone was taken away from whoever held it.
  if (proof.counter) return refuse(reason)
  if (here) return decideHere(facts, here, reason)
  return namesake ? decideByAddress(facts, namesake, reason) : { kind: "register" }
}

/**
 * A session that was begun at an address nobody has proven may belong to a stranger. What it links would stay when the
 * owner arrives; passkeys go.
 */
function decideHere({ proof, presence, hasMail }: Facts, here: AdapterUser, reason: Reason): Decision {
  const isUnproven = presence?.mark !== undefined && hasMail
  if (isUnproven && proof.account.type !== "webauthn") return refuse(reason)
  return { kind: "link", user: here, isOwner: false }
}

/** An address that its provider does not vouch for must not open somebody else's door, and an unproven one is no door. */
function decideByAddress(facts: Facts, namesake: AdapterUser, reason: Reason): Decision {
  const { proof, holdings, hasUnverifying } = facts
  if (proof.email === "unverified") return refuse(reason)
  const mayBePlanted = !namesake.emailVerified && (hasUnverifying || holdings?.hasPasskey === true)
  if (proof.mayLinkByEmail && !mayBePlanted) return { kind: "link", user: namesake, isOwner: false }
  const isOwner = proof.email === "verified" && !namesake.emailVerified
  // What holds nothing but passkeys was claimed by somebody and proven by nobody: there is no other user to protect.
  const mayArrive = proof.mayLinkByEmail || holdings?.isPasskeysOnly === true
  return isOwner && mayArrive ? { kind: "link", user: namesake, isOwner: true } : refuse(reason)
}
