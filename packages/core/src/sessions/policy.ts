/** Whether what a session rests on is enough for what is asked of it. */
import { toSeconds } from "../std/time.js"
import type { ProviderType } from "../types/identity.js"
import type { Policy, SessionFacts, SessionProof } from "../types/session-facts.js"

/** Something known, something owned, or somebody else's word. Mail never counts as a second factor (NIST SP 800-63B-4 §3.1.3). */
const classes: Readonly<Record<ProviderType, "knowledge" | "possession" | "elsewhere">> = {
  credentials: "knowledge",
  webauthn: "possession",
  email: "elsewhere",
  oauth: "elsewhere",
  oidc: "elsewhere",
}

/** Seconds that the clocks of two servers may differ. A proof that is further ahead was dated by a clock that was wrong, and would be new for as long as it was. */
const mostAhead = 10 * 60

/** Says whether the facts meet the policy at `now`. */
export function meets(facts: SessionFacts, policy: Policy, now: Date): boolean {
  const { acr, maxAge, passive = false } = policy
  const earliest = maxAge === undefined ? Number.NEGATIVE_INFINITY : toSeconds(now) - maxAge
  const latest = maxAge === undefined ? Number.POSITIVE_INFINITY : toSeconds(now) + mostAhead
  const counted = facts.proofs.filter(
    (proof) => proof.at >= earliest && proof.at <= latest && (passive || maxAge === undefined || !proof.passive),
  )
  if (acr === undefined) return maxAge === undefined || counted.length > 0
  const reached = strengthOf(counted)
  return acr === "mfa" ? reached !== undefined : reached === "phr"
}

/** How strong proofs are together; `undefined`: one factor, or none. */
export function strengthOf(proofs: readonly SessionProof[]): "mfa" | "phr" | undefined {
  if (proofs.some(({ acr }) => acr === "phr")) return "phr"
  if (proofs.some(({ acr }) => acr === "mfa")) return "mfa"
  const found = new Set(proofs.filter(({ how }) => how !== "email").map(({ how }) => classes[how]))
  return found.has("possession") && found.size > 1 ? "mfa" : undefined
}
