/** What can be done to a session beside reading it, whichever strategy keeps it. */
import type { Context } from "../context/context.js"
import type { CookieChange } from "../http/result.js"
import type { SessionRecord } from "../ledger/session.js"
import type { SessionFacts } from "../types/session-facts.js"

/** The session of the request. */
export interface SessionHere {
  readonly userId: string
  readonly facts: SessionFacts
  /** The keys of its records; none for a token from before sessions were managed. */
  readonly keys: readonly string[]
}

/** What differs between the strategies. */
export interface SessionControl {
  /** The session of the request; `null` when there is none. */
  current(context: Context): Promise<SessionHere | null>
  /** Gives the session of the request a new token; `null`: it has ended, or another request did. */
  rotate(context: Context): Promise<readonly CookieChange[] | null>
  /** The records of a user's sessions that live. */
  list(context: Context, userId: string): Promise<readonly SessionRecord[]>
  /** Ends the session of a record. */
  end(context: Context, record: SessionRecord): Promise<void>
  /** Ends all sessions of a user, and says how many had records. */
  endAll(context: Context, userId: string): Promise<number>
  /** Ends all sessions of a user that have no record. */
  endEarlier(context: Context, userId: string): Promise<void>
}

/** Which sessions end. */
export interface Meant {
  readonly userId: string
  readonly isMeant: (id: string) => boolean
}

/** More turns than there are requests under way at once for one session. */
const mostTurns = 50

/**
 * Ends sessions of a user, and says which those were. Looks again afterwards: while they end, a request may give one of them a
 * new token, which in a database is another record. Sessions that began meanwhile stay.
 */
export async function endNamed(
  context: Context,
  { list, end }: Pick<SessionControl, "list" | "end">,
  { userId, isMeant }: Meant,
): Promise<ReadonlySet<string>> {
  const ended = new Set<string>()
  for (let turn = 0; turn < mostTurns; turn++) {
    const records = await list(context, userId)
    const named = records.filter(({ content: { facts } }) => (turn === 0 ? isMeant(facts.id) : ended.has(facts.id)))
    if (named.length === 0) break
    for (const one of named) {
      await end(context, one)
      ended.add(one.content.facts.id)
    }
  }
  return ended
}
