/** The sessions of the signed-in user, from a script: listed and ended where the service manages sessions. */
import type { SessionEntry } from "../types/managed-sessions.js"
import { ClientError, type Connection } from "./connection.js"

/** Lists the sessions of the signed-in user. */
export async function listSessions(connection: Connection): Promise<readonly SessionEntry[]> {
  const answer = await connection.get("sessions")
  if (!answer.ok) throw new ClientError("The sessions were not listed.", answer)
  return (answer.data as readonly SessionEntry[]).map((entry) => ({
    ...entry,
    startedAt: new Date(entry.startedAt),
    seenAt: new Date(entry.seenAt),
    expires: new Date(entry.expires),
  }))
}

/** Ends one session by its id, or all `others`, and returns how many ended. */
export async function endSessions(connection: Connection, end: string): Promise<number> {
  const csrfToken = await connection.csrfToken()
  const answer = await connection.postJson("sessions", { csrfToken, end })
  if (!answer.ok) throw new ClientError("The session was not ended.", answer)
  return (answer.data as { readonly ended: number }).ended
}
