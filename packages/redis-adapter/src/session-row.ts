/** Sessions as they are stored in Redis: the user, the expiry, and whatever else the service passed. */
import type { AdapterSession } from "@latchkey/core/adapters"
import { decode, encode, given, milliseconds, type Row } from "./values.js"

/**
 * How long after the end of a session Redis removes it, in milliseconds. The clock of the service decides when a
 * session ends, and a Redis server whose clock is ahead must not end it earlier.
 */
export const grace = 60_000

/** When Redis may forget what ends at this time, as text. */
export function sweepTime(expires: number): string {
  return String(expires + grace)
}

/** The members as field and value, one behind the other. What was not given is left out. */
export function fieldsOf({ sessionToken: _, userId, expires, ...rest }: Partial<AdapterSession>): string[] {
  const more: Row = given(rest)
  // Ids are strings; a number of an existing database stays a number.
  if (userId !== undefined && typeof userId !== "string") more["userId"] = userId
  return [
    ...(userId === undefined ? [] : ["owner", String(userId)]),
    ...(expires === undefined ? [] : ["expires", String(milliseconds(expires))]),
    ...(Object.keys(more).length === 0 ? [] : ["more", encode(more)]),
  ]
}

/** Owner, end and the rest, as the scripts answer them. */
export type SessionFields = readonly [owner: string | null, expires: string | null, more: string | null]

/** The session, or nothing when there is none. @throws DamagedRowError when it is no session. */
export function sessionOf(fields: unknown, sessionToken: string): AdapterSession | null {
  if (!Array.isArray(fields)) return null
  const [owner, expires, more] = fields as unknown as SessionFields
  if (owner === null || owner === undefined) return null
  const row = more === null ? {} : decode<Row>(more, "session")
  const time = expires === null ? Number.NaN : Number(expires)
  const end = new Date(time)
  // A session without a readable expiry must not count as one that never expires.
  if (Number.isNaN(end.getTime())) decode("", "session")
  return { userId: owner, ...row, sessionToken, expires: end }
}
