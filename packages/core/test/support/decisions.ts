/** What is known of somebody who signs in, for tests of the decision. */

import type { Facts } from "../../src/admission/facts.js"
import type { Proof } from "../../src/methods/method.js"
import {
  type AdmissionPolicy,
  credentialsPolicy,
  emailPolicy,
  oauthPolicy,
  passkeyPolicy,
} from "../../src/methods/policy.js"
import type { AdapterUser, ProviderType } from "../../src/types/identity.js"

const user = (id: string): AdapterUser => ({ id, email: `${id}@app.test`, emailVerified: null })
/** Users. */
export const ada: AdapterUser = user("ada")
export const grace: AdapterUser = user("grace")
export const candidate: AdapterUser = user("candidate")

/** Of a provider that says nothing of verified addresses. */
export const ofProvider: AdmissionPolicy = oauthPolicy({ callsVerified: false, allowUnverifiedEmail: false })
/** By kind of provider. */
export const policies: Readonly<Record<ProviderType, AdmissionPolicy>> = {
  oauth: ofProvider,
  oidc: ofProvider,
  email: emailPolicy,
  credentials: credentialsPolicy,
  webauthn: passkeyPolicy,
}

type OfProof = Pick<Proof, "emailStatus" | "mayLinkByEmail" | "authenticator" | "counter" | "policy" | "user">
/** What differs from nothing. */
export type Given = Partial<Facts & OfProof>

/** The facts of a proof by an account of this kind. */
export function facts(type: ProviderType, given: Given = {}): Facts {
  const { emailStatus = "unstated", mayLinkByEmail = false, authenticator, counter, ...others } = given
  const { policy = policies[type], user = candidate, ...rest } = others
  const account = { provider: "acme", providerAccountId: "1", type }
  const proof: Proof = {
    kind: "proof",
    user,
    policy,
    account,
    emailStatus,
    mayLinkByEmail,
    stored: undefined,
    returnTo: undefined,
    ...(authenticator && { authenticator }),
    ...(counter && { counter }),
  }
  return {
    proof,
    hasStore: true,
    currentUser: null,
    isOtherVisitor: false,
    accountOwner: null,
    emailOwner: null,
    ownerMayArrive: false,
    hasUnverifying: false,
    ...rest,
  }
}

/** The decision to let this user in. */
export const entersAs = (entering: AdapterUser): object => ({ kind: "enter", user: entering, isNew: false })
