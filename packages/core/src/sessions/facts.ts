/** What a session rests on: made where it begins, carried in the claim `lk` of a token, and the end that follows from it. */
import type { Settings } from "../config/settings.js"
import { randomBase64url } from "../crypto/token.js"
import { secondsAfter, toSeconds } from "../std/time.js"
import type { SessionFacts } from "../types/session-facts.js"
import type { FactsClaim } from "./facts-claim.js"
import type { Login } from "./strategy.js"

/** A public name for a session: 128 random bits. */
export const newSessionId = (): string => randomBase64url(16)

/** The claim as it is sealed: a digest alone is text, as it was before facts were kept; the rest has short names, because it travels with each request. */
export function writeClaim({ facts, generation, hasNoRecord, unprovenAccount }: FactsClaim): unknown {
  if (!facts) return unprovenAccount
  const { id, otherIds, startedAt, proofs, actor } = facts
  return {
    i: id,
    s: startedAt,
    p: proofs.map(({ how, provider, at, passive, acr }) => [how, at, provider ?? "", passive ? 1 : 0, acr ?? ""]),
    ...(generation !== undefined && generation > 0 && { g: generation }),
    ...(hasNoRecord && { n: 1 }),
    // A record says it itself.
    ...(hasNoRecord && otherIds !== undefined && { o: otherIds }),
    ...(actor !== undefined && { a: actor }),
    ...(unprovenAccount !== undefined && { u: unprovenAccount }),
  }
}

/** The facts of a session that begins now. `before`: those of the session of the request, which count on where an account is added. */
export function factsOf(
  { account, authTime, actor, actingSince, addsAccount }: Login,
  now: Date,
  before?: SessionFacts,
): SessionFacts {
  const startedAt = actingSince ?? toSeconds(now)
  if (addsAccount) {
    // The other names are those of the session before it.
    const { otherIds, ...kept } = before ?? { startedAt, proofs: [] as const, otherIds: undefined }
    return { ...kept, id: newSessionId() }
  }
  const facts = { id: newSessionId(), startedAt, ...(actor !== undefined && { actor }) }
  // Who acts for somebody has proven nothing of them.
  if (!account || actor !== undefined) return { ...facts, proofs: [] }
  const isRedirect = account.type === "oauth" || account.type === "oidc"
  const said = isRedirect ? authTime : undefined
  const at = said === undefined ? startedAt : Math.min(said, startedAt)
  const passive = isRedirect && said === undefined ? ({ passive: true } as const) : {}
  return { ...facts, proofs: [{ how: account.type, provider: account.provider, at, ...passive }] }
}

/** All names of a session. */
export function idsOf({ id, otherIds = [] }: Pick<SessionFacts, "id" | "otherIds">): readonly string[] {
  return [id, ...otherIds]
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
