/** The list of a user's sessions. It may name sessions that have ended, but never lacks one that has not. */
import type { Desk } from "./desk.js"
import { noteSession, run } from "./scripts.js"
import { sweepTime } from "./session-row.js"
import { isStorable } from "./values.js"

/** The lists, by user. Members are hashes of tokens. */
export interface SessionLists {
  read(userId: unknown): Promise<string[]>
  note(userId: unknown, tokenHash: string, expires: number): Promise<unknown>
  forget(userId: unknown, tokenHashes: readonly string[]): Promise<unknown>
}

export function createSessionLists({ connection, keys }: Desk): SessionLists {
  return {
    async read(userId) {
      if (!isStorable(String(userId))) return []
      const key = keys.sessionsOf(userId)
      const members = await connection.send({ key, args: ["ZRANGE", key, "0", "-1"], isReading: true })
      return (members as unknown[]).map(String)
    },
    note: (userId, tokenHash, expires) =>
      run(connection, noteSession, { keys: [keys.sessionsOf(userId)], args: [sweepTime(expires), tokenHash] }),
    forget(userId, tokenHashes) {
      const key = keys.sessionsOf(userId)
      return connection.send({ key, args: ["ZREM", key, ...tokenHashes] })
    },
  }
}
