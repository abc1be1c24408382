/** What operations work with. */
import type { Connection } from "./connection.js"
import type { Keys } from "./keys.js"
import { decode } from "./values.js"

/** Everything that stays the same for one adapter. */
export interface Desk {
  readonly connection: Connection
  readonly keys: Keys
  /** Told of rows that cannot be read where the service can go on without them. */
  readonly onError: (error: Error) => void
}

/** The text under a key, or nothing. */
export async function textAt({ connection }: Desk, key: string): Promise<string | null> {
  const text = await connection.send({ key, args: ["GET", key], isReading: true })
  return text === null || text === undefined ? null : String(text)
}

/** The row under a key, or nothing. */
export async function rowAt<T extends object>(desk: Desk, key: string, what: string): Promise<T | null> {
  const text = await textAt(desk, key)
  return text === null ? null : decode<T>(text, what)
}
