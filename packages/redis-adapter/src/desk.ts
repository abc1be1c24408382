/** What operations work with. */
import type { Connection } from "./connection.js"
import type { Keys } from "./keys.js"
import { decode, isStorable } from "./values.js"

/** Everything that stays the same for one adapter. */
export interface Desk {
  readonly connection: Connection
  readonly keys: Keys
  /** Called for rows that cannot be read where the operation can continue without them. */
  readonly onError: (error: Error) => void
}

/** The text under a key, or nothing. */
export async function textAt({ connection }: Desk, key: string): Promise<string | null> {
  const text = await connection.send({ key, args: ["GET", key], isReading: true })
  return text === null || text === undefined ? null : String(text)
}

/** The rows of a user whose keys a set holds. A key whose row has been removed, or now belongs to another user, is passed over. */
export async function rowsOwned<T extends { userId: unknown }>(
  { connection }: Desk,
  { list, userId, what }: { readonly list: string; readonly userId: unknown; readonly what: string },
): Promise<T[]> {
  if (!isStorable(String(userId))) return []
  const members = await connection.send({ key: list, args: ["SMEMBERS", list], isReading: true })
  const names = (members as unknown[]).map(String).sort()
  if (names.length === 0) return []
  const texts = await connection.send({ key: list, args: ["MGET", ...names], isReading: true })
  return (texts as unknown[])
    .filter((text) => typeof text === "string")
    .map((text) => decode<T>(text, what))
    .filter((row) => String(row.userId) === String(userId))
}

/** The row under a key, or nothing. */
export async function rowAt<T extends object>(desk: Desk, key: string, what: string): Promise<T | null> {
  const text = await textAt(desk, key)
  return text === null ? null : decode<T>(text, what)
}
