/** Reading sessions: alone, or with their users in one round trip where the server allows it. */
import type { Adapter, AdapterSession, AdapterUser } from "@latchkey/core/adapters"
import { type Desk, rowAt } from "../desk.js"
import { RedisError } from "../faults.js"
import { lookUp, run } from "../scripts.js"
import { sessionOf } from "../session-row.js"
import { presentedHash } from "../tokens.js"
import { DamagedRowError, decode } from "../values.js"

type SessionAndUser = Awaited<ReturnType<NonNullable<Adapter["getSessionAndUser"]>>>

/** A token as it was presented, and its hash. */
interface Presented {
  readonly token: string
  readonly tokenHash: string
}

/** Servers that let a script use only the keys it names: several nodes, or a proxy before them. */
const unnamedKey = /non local key|undeclared key|CROSSSLOT/i

/** A value that is no session opens none, and is passed to `onError`. */
export async function unlessDamaged<T>({ onError }: Desk, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    const isDamaged = error instanceof DamagedRowError && /^The session /.test(error.message)
    if (!isDamaged && !(error instanceof RedisError && error.message.includes("WRONGTYPE"))) throw error
    onError(error as Error)
    return null
  }
}

/** Reads a session by the hash of its token. `token` is what the row will show. */
export async function readSession(
  { connection, keys }: Desk,
  { tokenHash, token }: Presented,
): Promise<AdapterSession | null> {
  const key = keys.session(tokenHash)
  const args = ["HMGET", key, "owner", "expires", "more"]
  return sessionOf(await connection.send({ key, args, isReading: true }), token)
}

async function inTwoSteps(desk: Desk, presented: Presented): Promise<SessionAndUser> {
  const session = await readSession(desk, presented)
  const user = session && (await rowAt<AdapterUser>(desk, desk.keys.user(session.userId), "user"))
  return session && user ? { session, user } : null
}

async function inOneStep({ connection, keys }: Desk, { tokenHash, token }: Presented): Promise<SessionAndUser> {
  const found = await run(connection, lookUp, { keys: [keys.session(tokenHash)], args: [keys.user("")] })
  if (!Array.isArray(found)) return null
  const session = sessionOf(found[0], token)
  const text: unknown = found[1]
  return session && typeof text === "string" ? { session, user: decode<AdapterUser>(text, "user") } : null
}

/** What reads sessions. */
export interface SessionReads {
  getSession(sessionToken: string): Promise<AdapterSession | null>
  getSessionAndUser(sessionToken: string): Promise<SessionAndUser>
}

export function sessionReads(desk: Desk): SessionReads {
  let isInSteps: boolean | undefined
  const read = async (presented: Presented): Promise<SessionAndUser> => {
    isInSteps ??= await desk.connection.isSpread()
    if (isInSteps) return inTwoSteps(desk, presented)
    try {
      return await inOneStep(desk, presented)
    } catch (error) {
      if (!(error instanceof RedisError) || !unnamedKey.test(error.message)) throw error
      isInSteps = true
      return inTwoSteps(desk, presented)
    }
  }
  return {
    async getSession(token) {
      const tokenHash = presentedHash(token)
      return tokenHash === undefined ? null : unlessDamaged(desk, () => readSession(desk, { tokenHash, token }))
    },
    async getSessionAndUser(token) {
      const tokenHash = presentedHash(token)
      return tokenHash === undefined ? null : unlessDamaged(desk, () => read({ tokenHash, token }))
    },
  }
}
