/** The claim `lk` of a token, as it is read with every session; `facts.ts` writes it. */
import type { Settings } from "../config/settings.js"
import type { ProviderType } from "../types/identity.js"
import type { SessionFacts, SessionProof } from "../types/session-facts.js"
import type { JWT } from "../types/token.js"

/** What the claim `lk` of a token says. */
export interface FactsClaim {
  readonly facts?: SessionFacts
  /** Managed sessions: how often the session got a new token. Another number than that of its record opens nothing. */
  readonly generation?: number
  /** It was sealed without a record. What had one is never sealed with this again, or a session that was ended would go on. */
  readonly hasNoRecord?: true
  /** A digest of the account that began the session at an unproven address. */
  readonly unprovenAccount?: string
}

const digest = /^[\w-]{22}$/

/** Reads the claim. Whatever has another form says nothing. */
export function readClaim(claim: unknown): FactsClaim {
  if (typeof claim === "string") return digest.test(claim) ? { unprovenAccount: claim } : {}
  if (typeof claim !== "object" || claim === null) return {}
  const { i, s, p, g, n, a, u, o } = claim as Readonly<Record<string, unknown>>
  if (typeof i !== "string" || !digest.test(i) || typeof s !== "number" || !Array.isArray(p)) return {}
  const actor = typeof a === "string" ? { actor: a } : {}
  const others = Array.isArray(o) ? { otherIds: o.filter((id): id is string => typeof id === "string") } : {}
  return {
    facts: { id: i, startedAt: s, proofs: p.flatMap(readProof), ...actor, ...others },
    generation: typeof g === "number" ? g : 0,
    ...(n === 1 && { hasNoRecord: true as const }),
    ...(typeof u === "string" && digest.test(u) && { unprovenAccount: u }),
  }
}

/** Does a token open its session without a record? It is from before sessions were managed, whether it says what it rests on or nothing. */
export function opensAlone({ facts, hasNoRecord }: FactsClaim): boolean {
  return !facts || hasNoRecord === true
}

function readProof(entry: unknown): readonly SessionProof[] {
  if (!Array.isArray(entry)) return []
  const [how, at, provider, passive, acr] = entry as readonly unknown[]
  if (typeof how !== "string" || typeof at !== "number") return []
  return [
    {
      how: how as ProviderType,
      at,
      ...(typeof provider === "string" && provider !== "" && { provider }),
      ...(passive === 1 && { passive: true as const }),
      ...((acr === "mfa" || acr === "phr") && { acr }),
    },
  ]
}

/** The claims as callbacks and events see them: without the digest of an account, which says nothing to an application. */
export function withoutDigest(claims: JWT): JWT {
  const { facts, unprovenAccount } = readClaim(claims["lk"])
  if (facts || unprovenAccount === undefined) return claims
  const { lk, ...rest } = claims
  return rest
}

/** Does it say anything? Otherwise an application without features may have a claim of this name. */
export function isClaim(claim: unknown): boolean {
  const { facts, unprovenAccount } = readClaim(claim)
  return facts !== undefined || unprovenAccount !== undefined
}

/** The claims with `lk` as it was before a callback, whatever that made of it: no callback writes to it. */
export function keepClaim(token: JWT, before: JWT, { keepsFacts }: Settings["features"]): JWT {
  if (isClaim(before["lk"])) return { ...token, lk: before["lk"] }
  if (!("lk" in token) || (!keepsFacts && !isClaim(token["lk"]))) return token
  const { lk, ...rest } = token
  return rest
}
