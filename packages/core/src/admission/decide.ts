/** May this proven person come in, and as whom: one pure table from facts to a decision. */
import type { ErrorType } from "../errors.js"
import type { AdapterUser, User } from "../types/identity.js"
import type { Facts } from "./facts.js"

/** What is to be done. */
export type Decision =
  | { readonly kind: "refuse"; readonly reason: Extract<ErrorType, "OAuthAccountNotLinked" | "AccountNotLinked"> }
  /** The person is known. */
  | { readonly kind: "enter"; readonly user: AdapterUser | User; readonly isNew: false | undefined }
  /** The account is new and goes to a known user; `byEmail` when only the address says so. */
  | { readonly kind: "link"; readonly user: AdapterUser; readonly byEmail: boolean }
  | { readonly kind: "register" }

const refuse = (reason: "OAuthAccountNotLinked" | "AccountNotLinked"): Decision => ({ kind: "refuse", reason })
const enter = (user: AdapterUser | User): Decision => ({ kind: "enter", user, isNew: false })

/** Decides. Pure and synchronous. */
export function decide(facts: Facts): Decision {
  const { proof, hasStore, namesake } = facts
  if (proof.account.type === "credentials") return enter(proof.user)
  if (!hasStore) return { kind: "enter", user: proof.user, isNew: undefined }
  if (proof.account.type === "email") return namesake ? enter(namesake) : { kind: "register" }
  return decideAccount(facts, proof.account.type === "webauthn" ? "AccountNotLinked" : "OAuthAccountNotLinked")
}

function decideAccount(facts: Facts, reason: "OAuthAccountNotLinked" | "AccountNotLinked"): Decision {
  const { proof, here, hasLeft, owner, namesake } = facts
  // The id of a new credential is whatever its authenticator says: that somebody has it already lets nobody in.
  if (owner && !here && proof.authenticator) return refuse(reason)
  if (owner) return here && String(here.id) !== String(owner.id) ? refuse(reason) : enter(owner)
  // Who began the flow is not here: whom a new account should go to, nobody can say any more.
  if (hasLeft) return refuse(reason)
  if (here) return { kind: "link", user: here, byEmail: false }
  if (!namesake) return { kind: "register" }
  // An address that its provider does not vouch for must not open somebody else's door.
  const mayLink = proof.mayLinkByEmail && proof.email !== "unverified"
  return mayLink ? { kind: "link", user: namesake, byEmail: true } : refuse(reason)
}
