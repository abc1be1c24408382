/** Operations on sessions. They take and return the plain token; Redis holds its hash. */
import type { Adapter, AdapterSession } from "@latchkey/core/adapters"
import type { Desk } from "../desk.js"
import type { Promised } from "../promised.js"
import { beginSession, changeSession, endSession, run, type Script } from "../scripts.js"
import { fieldsOf, sessionOf, sweepTime } from "../session-row.js"
import { createSessionLists } from "../sessions-of.js"
import { endedHashes, presentedHash, shownForm, writtenHash } from "../tokens.js"
import { milliseconds } from "../values.js"
import { readSession, type SessionReads, sessionReads, unlessDamaged } from "./session-reads.js"

/** The operations, and the look-up of a session without its user. */
export type SessionOperations = SessionReads &
  Promised<
    Pick<
      Adapter,
      "createSession" | "updateSession" | "deleteSession" | "deleteSessionsByUserId" | "listSessionsByUserId"
    >
  >

/** How many commands go out together. */
const batch = 500

async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let start = 0; start < items.length; start += batch) {
    results.push(...(await Promise.all(items.slice(start, start + batch).map(work))))
  }
  return results
}

/** Runs a script on one session. */
function act(
  { connection, keys }: Desk,
  script: Script,
  [tokenHash, ...args]: readonly [string, ...string[]],
): Promise<unknown> {
  return run(connection, script, { keys: [keys.session(tokenHash)], args })
}

function end(desk: Desk, tokenHash: string, token: string): Promise<AdapterSession | null> {
  return unlessDamaged(desk, async () => sessionOf(await act(desk, endSession, [tokenHash]), token))
}

type Writes = Pick<SessionOperations, "createSession" | "updateSession" | "deleteSession">

function sessionWrites(desk: Desk, { getSession }: SessionReads): Writes {
  const lists = createSessionLists(desk)
  return {
    async createSession(session) {
      const tokenHash = writtenHash(session.sessionToken)
      const expires = milliseconds(session.expires)
      const begun = await act(desk, beginSession, [tokenHash, sweepTime(expires), ...fieldsOf(session)])
      if (Number(begun) !== 1) throw new Error("There is a session with this token already.")
      try {
        await lists.note(session.userId, tokenHash, expires)
      } catch (error) {
        // Nobody has the token yet. A session that is on no list could not be ended with the others.
        await act(desk, endSession, [tokenHash]).catch(() => {})
        throw error
      }
      return { ...session, expires: new Date(expires) }
    },
    async updateSession({ sessionToken, ...patch }) {
      const tokenHash = presentedHash(sessionToken)
      const before = tokenHash === undefined ? null : await getSession(sessionToken)
      if (!before || tokenHash === undefined) return null
      const owner = patch.userId ?? before.userId
      const expires = milliseconds(patch.expires ?? before.expires)
      // The list first: a session must never outlive its entry in the list.
      await lists.note(owner, tokenHash, expires)
      const fields = fieldsOf({ ...patch, ...(patch.expires && { expires: new Date(expires) }) })
      const after = sessionOf(await act(desk, changeSession, [tokenHash, sweepTime(expires), ...fields]), sessionToken)
      if (!after) await lists.forget(owner, [tokenHash])
      else if (String(owner) !== String(before.userId)) await lists.forget(before.userId, [tokenHash])
      return after
    },
    async deleteSession(token) {
      for (const tokenHash of endedHashes(token)) {
        const session = await end(desk, tokenHash, token)
        if (!session) continue
        // The session is over; what stays on the list ends by itself.
        await lists.forget(session.userId, [tokenHash]).catch(desk.onError)
        return session
      }
      return null
    },
  }
}

export function sessionOperations(desk: Desk): SessionOperations {
  const lists = createSessionLists(desk)
  const reads = sessionReads(desk)
  return {
    ...reads,
    ...sessionWrites(desk, reads),
    async deleteSessionsByUserId(userId) {
      const tokenHashes = await lists.read(userId)
      if (tokenHashes.length === 0) return 0
      const ended = await inBatches(tokenHashes, (tokenHash) => end(desk, tokenHash, shownForm(tokenHash)))
      // Only those that were read: one that began meanwhile stays on the list.
      await lists.forget(userId, tokenHashes)
      return ended.filter(Boolean).length
    },
    async listSessionsByUserId(userId) {
      const found = await inBatches(await lists.read(userId), (tokenHash) =>
        unlessDamaged(desk, () => readSession(desk, { tokenHash, token: shownForm(tokenHash) })),
      )
      return found.filter((session) => session !== null).filter((session) => String(session.userId) === String(userId))
    },
  }
}
