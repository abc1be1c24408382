/** What a session rests on: made where it begins, carried in the claim `lk` of a token, and the end that follows from it. */
import type { Settings } from "../config/settings.js"
import { randomBase64url } from "../crypto/token.js"
import { secondsAfter, toSeconds } from "../std/time.js"
import type { ProviderType } from "../types/identity.js"
import type { SessionFacts, SessionProof } from "../types/session-facts.js"
import type { JWT } from "../types/token.js"
import type { Login } from "./strategy.js"

/** What the claim `lk` of a token says. */
export interface FactsClaim {
  readonly facts?: SessionFacts
  /** Managed sessions: how often the session got a new token. Another number than that of its record opens nothing. */
  readonly generation?: number
  /** A digest of the account that began the session at an unproven address. */
  readonly unprovenAccount?: string
}

const digest = /^[\w-]{22}$/

/** A public name for a session: 128 random bits. */
export const newSessionId = (): string => randomBase64url(16)

/** The claim as it is sealed: a digest alone is text, as it was before facts were kept; the rest has short names, because it travels with each request. */
export function writeClaim({ facts, generation, unprovenAccount }: FactsClaim): unknown {
  if (!facts) return unprovenAccount
  const { id, startedAt, proofs, actor } = facts
  return {
    i: id,
    s: startedAt,
    p: proofs.map(({ how, provider, at, passive, acr }) => [how, at, provider ?? "", passive ? 1 : 0, acr ?? ""]),
    ...(generation !== undefined && generation > 0 && { g: generation }),
    ...(actor !== undefined && { a: actor }),
    ...(unprovenAccount !== undefined && { u: unprovenAccount }),
  }
}

/** Reads the claim. Whatever has another form says nothing. */
export function readClaim(claim: unknown): FactsClaim {
  if (typeof claim === "string") return digest.test(claim) ? { unprovenAccount: claim } : {}
  if (typeof claim !== "object" || claim === null) return {}
  const { i, s, p, g, a, u } = claim as Readonly<Record<string, unknown>>
  if (typeof i !== "string" || !digest.test(i) || typeof s !== "number" || !Array.isArray(p)) return {}
  const actor = typeof a === "string" ? { actor: a } : {}
  return {
    facts: { id: i, startedAt: s, proofs: p.flatMap(readProof), ...actor },
    generation: typeof g === "number" ? g : 0,
    ...(typeof u === "string" && digest.test(u) && { unprovenAccount: u }),
  }
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

/** The claims with `lk` as it was before a callback, whatever that made of it: no callback writes to it. */
export function keepClaim(token: JWT, before: JWT, { keepsFacts }: Settings["features"]): JWT {
  const { facts, unprovenAccount } = readClaim(before["lk"])
  if (facts || unprovenAccount !== undefined) return { ...token, lk: before["lk"] }
  if (!keepsFacts || !("lk" in token)) return token
  const { lk, ...rest } = token
  return rest
}

/** The facts of a session that begins now. */
export function factsOf({ account, profile, actor }: Login, now: Date): SessionFacts {
  const startedAt = toSeconds(now)
  const facts = { id: newSessionId(), startedAt, ...(actor !== undefined && { actor }) }
  // Who acts for somebody has proven nothing of them.
  if (!account || actor !== undefined) return { ...facts, proofs: [] }
  const isRedirect = account.type === "oauth" || account.type === "oidc"
  const said = isRedirect ? profile?.["auth_time"] : undefined
  const isActive = typeof said === "number" && Number.isFinite(said)
  // OpenID Connect Core 1.0 §2, `auth_time`: a provider may say when it last asked the person itself.
  const at = isActive ? Math.min(Math.floor(said), startedAt) : startedAt
  const passive = isRedirect && !isActive ? ({ passive: true } as const) : {}
  return { ...facts, proofs: [{ how: account.type, provider: account.provider, at, ...passive }] }
}

/** The facts of a session that began before facts were kept: nothing is known of its proofs. */
export function earlierFacts(startedAt: number): SessionFacts {
  return { id: newSessionId(), startedAt, proofs: [] }
}

/** Seconds that somebody may act for a user. */
const longestActing = 30 * 60

/** The moment at which a session ends whatever somebody does; `undefined`: there is none. */
export function overallEnd(settings: Settings, { startedAt, actor }: SessionFacts): Date | undefined {
  const overall = settings.options["session.overallMaxAge"] ?? Number.POSITIVE_INFINITY
  const seconds = actor === undefined ? overall : Math.min(overall, longestActing)
  return seconds === Number.POSITIVE_INFINITY ? undefined : secondsAfter(new Date(startedAt * 1000), seconds)
}

/** The earlier of two moments. */
export function earlierOf(one: Date, other: Date | undefined): Date {
  return other !== undefined && other < one ? other : one
}
