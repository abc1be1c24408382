/** A session of the jwt strategy that begins: what its token says, its record, and the oldest that end for it. */
import type { Context } from "../context/context.js"
import { readSession, type SessionContent, writeSession } from "../ledger/session.js"
import { asError } from "../ports/thrown.js"
import type { SessionFacts } from "../types/session-facts.js"
import type { JWT } from "../types/token.js"
import { chainOf, contentOf } from "./content.js"
import { factsOf, writeClaim } from "./facts.js"
import { endRowOf } from "./jwt-control.js"
import { endOfExtended, endSession } from "./jwt-managed.js"
import { ledgerOf, orLogged, surplusOf, turnOf } from "./managed.js"
import type { Login } from "./strategy.js"
import { ownerIn } from "./user-id.js"

/** The token of a session that begins, and what is to be written before it is handed out. */
export interface BegunToken {
  readonly claim: unknown
  readonly facts: SessionFacts
}

/** What the token of a session that begins says of it. `before`: the facts of the session of the request. */
export function claimOf({ settings, now }: Context, login: Login, before?: SessionFacts): BegunToken {
  const { unprovenAccount } = login
  const facts = factsOf(login, now, before)
  const claim = {
    facts,
    ...(!settings.features.sessions && { hasNoRecord: true as const }),
    ...(unprovenAccount !== undefined && { unprovenAccount }),
  }
  return { facts, claim: writeClaim(claim) }
}

/** A session that begins. */
export interface TokenDraft {
  readonly facts: SessionFacts
  readonly login: Login
  readonly claims: JWT
  /** The session of the request, which it goes on from where `follows` is its id. */
  readonly before?: SessionContent | undefined
  readonly follows?: string | undefined
}

/** Writes the record of a session that begins. */
export async function recordToken(
  context: Context,
  { facts, login, claims, before, follows }: TokenDraft,
): Promise<void> {
  const userId = ownerIn(claims)
  const isStored = await standsInStore(context, login, userId)
  const ledger = ledgerOf(context)
  const content = {
    ...(await contentOf(context, { facts, login, before })),
    ...(isStored && { isStored: true as const }),
    ...(follows !== undefined && chainOf(follows, before)),
    ...(await turnOf(context, { ledger, userId, facts })),
  }
  await writeSession(ledger, { key: facts.id, userId, content, expires: endOfExtended(context, facts) })
}

/**
 * Ends the oldest where there are too many, once the token of a session is made. It has begun, whatever becomes of those.
 * `false`: it has ended itself, because newer ones began at the same moment, or one of those has ended it before.
 */
export async function endSurplusTokens(
  context: Context,
  { facts, claims }: Pick<TokenDraft, "facts" | "claims">,
): Promise<boolean> {
  const userId = ownerIn(claims)
  if (userId === null) return true
  const given = { ledger: ledgerOf(context), userId, begun: { key: facts.id, facts } }
  const ended = await orLogged(context.log, async () => {
    const records = await surplusOf(context, given)
    for (const record of records) {
      const { unmarked } = await endSession(context, { facts: record.content.facts, record })
      if (unmarked) context.log.error(asError(unmarked.reason))
      await endRowOf(context, record)
    }
    return records.some(({ key }) => key === facts.id) || (await isEndedByNewer(context, facts))
  })
  return ended !== true
}

async function isEndedByNewer(context: Context, { id }: SessionFacts): Promise<boolean> {
  if (context.settings.features.sessions?.atMost === undefined) return false
  return (await readSession(ledgerOf(context), id)) === null
}

/** A user of `authorize` need not stand in the store: their sessions do not end because they are missing there. */
async function standsInStore({ settings }: Context, { account }: Login, userId: string | null): Promise<boolean> {
  const { store } = settings
  if (userId === null || !store.has("getUser")) return false
  return account?.type !== "credentials" || (await store.getUser(userId)) !== null
}
