/** The application's rows in Redis: the service's keys, and one of its own for passwords. */
import { redisAdapter } from "@latchkey/redis-adapter"
import { createClient } from "redis"
import { people } from "../identity/people.js"

const passwords = "latchkey-demo:passwords"

/**
 * @param {{ url: string }} source
 * @param {import("./database.js").Tell} tell
 * @returns {Promise<import("./database.js").Rows>}
 */
export async function openRedis({ url }, tell) {
  const adapter = redisAdapter({ url })
  const client = createClient({ url })
  // The pending commands reject; without a listener, Node.js would end the process as well.
  client.on("error", () => {})
  try {
    // Asked first, because it gives up when there is no server.
    for (const advice of await adapter.check()) tell(advice)
    await client.connect()
  } catch (error) {
    await adapter.close()
    throw error
  }
  return {
    adapter,
    async accountsOf(userId) {
      const user = await adapter.getUser(userId)
      const authenticators = await adapter.listAuthenticatorsByUserId(userId)
      // The adapter has no list of accounts: these are all that a user of the demo can have.
      const keys = /** @type {[string, string][]} */ ([
        ...people.map(({ sub }) => [sub, "demo-op"]),
        ...(user?.email ? [[user.email, "nodemailer"]] : []),
        ...authenticators.map(({ providerAccountId }) => [providerAccountId, "passkey"]),
      ])
      const accounts = await Promise.all(keys.map(([id, provider]) => adapter.getAccount(id, provider)))
      return accounts.flatMap((account) => (account?.userId === userId ? [account] : []))
    },
    hashOf: async (userId) => (await client.hGet(passwords, userId)) ?? undefined,
    async keepHash(userId, hash) {
      await client.hSet(passwords, userId, hash)
    },
    async close() {
      await adapter.close()
      await client.close()
    },
  }
}
