/** The session, as the browser may see and change it. */
import type { Session } from "../types/session.js"
import { ClientError, type Connection } from "./connection.js"

/** The session; `null` when the visitor is signed out. Throws {@link ClientError} when the service answers with an error. */
export async function readSession(connection: Connection): Promise<Session | null> {
  const answer = await connection.get("session")
  if (!answer.ok) throw new ClientError("The service cannot tell who is signed in.", answer)
  return sessionOf(answer.data)
}

/** Passes data to the callbacks of the application and returns the session as it is then. */
export async function updateSession(connection: Connection, data: unknown): Promise<Session | null> {
  const csrfToken = await connection.csrfToken()
  const answer = await connection.postJson("session", { csrfToken, data })
  if (!answer.ok) throw new ClientError("The session was not updated.", answer)
  return sessionOf(answer.data)
}

function sessionOf(data: unknown): Session | null {
  return typeof data === "object" && data !== null && Object.keys(data).length > 0 ? (data as Session) : null
}
