/** Adapters with a prefix of their own, closed after each test, and one row of everything. */
import { createHash } from "node:crypto"
import { type RedisAdapter, redisAdapter } from "@latchkey/redis-adapter"
import { afterEach, inject } from "vitest"
import { freshPrefix, withClient } from "./redis.js"

export const url = inject("redis")
export const expires = new Date("2099-01-01T00:00:00.000Z")
/** Milliseconds for which Redis keeps what has ended. */
export const grace = 60_000
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
const opened: RedisAdapter[] = []

export function open(): { adapter: RedisAdapter; prefix: string } {
  const prefix = freshPrefix()
  const adapter = redisAdapter({ url }, { prefix })
  opened.push(adapter)
  return { adapter, prefix }
}
afterEach(async () => {
  for (const adapter of opened.splice(0)) await adapter.close()
})
export const ask = (...args: string[]): Promise<unknown> => withClient(url, (send) => send(...args))

export const account = {
  provider: "github",
  providerAccountId: "4711",
  type: "oauth" as const,
  access_token: "secret-token",
}

export async function everything(adapter: RedisAdapter): Promise<void> {
  const user = await adapter.createUserWithAccount(
    { id: "ada", name: "Ada", email: "Ada@Example.test", emailVerified: new Date("2026-01-02T03:04:05.678Z") },
    account,
  )
  await adapter.createSession({ sessionToken: "session-secret", userId: user.id, expires })
  await adapter.createVerificationToken({ identifier: "ada@example.test", token: "hash-of-the-link", expires })
  await adapter.createAuthenticator({
    credentialID: "credential-id",
    userId: user.id,
    providerAccountId: "credential-id",
    credentialPublicKey: "public",
    counter: 0,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
  })
}
