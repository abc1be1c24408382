/** The adapter behind Sentinel: the whole contract, and a primary that is lost. */
import { formatContract, runContract } from "@latchkey/adapter-contract"
import { type RedisAdapter, redisAdapter } from "@latchkey/redis-adapter"
import { createSentinel } from "redis"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type RedisSentinel, sentinelName, startRedisSentinel } from "../../../../tools/servers/redis.js"

let servers: RedisSentinel
let client: ReturnType<typeof createSentinel>
let adapter: RedisAdapter

beforeAll(async () => {
  servers = await startRedisSentinel()
  const { password } = servers
  client = createSentinel({
    name: sentinelName,
    sentinelRootNodes: [{ host: "127.0.0.1", port: servers.sentinel.port }],
    nodeClientOptions: { password },
  })
  adapter = redisAdapter({ client }, { prefix: "watched", timeout: 10_000 })
}, 120_000)

afterAll(async () => {
  if (client?.isOpen) await client.destroy()
  await servers?.stop()
}, 60_000)

describe("behind Sentinel", () => {
  it("keeps the contract", async () => {
    const report = await runContract(() => adapter, { timeout: 60_000 })
    expect(report.isKept, formatContract(report)).toBe(true)
  }, 300_000)

  it("goes on with the replica when the primary is lost", async () => {
    const user = await adapter.createUser({ id: "ada", email: "ada@example.test", emailVerified: null })
    const expires = new Date("2099-01-01T00:00:00Z")
    await adapter.createSession({ sessionToken: "before", userId: user.id, expires })
    // Written is what the replica has, too.
    await client.sendCommand(false, ["WAIT", "1", "5000"])
    await servers.primary.kill()
    const end = Date.now() + 60_000
    const signIn = async (): Promise<unknown> => {
      for (let count = 0; ; count += 1) {
        try {
          return await adapter.createSession({ sessionToken: `after-${count}`, userId: user.id, expires })
        } catch (error) {
          // Meanwhile no session is reported as signed out: the failure has a name.
          expect((error as Error).name).toBe("RedisError")
          if (Date.now() > end) throw error
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
      }
    }
    await signIn()
    expect(await adapter.getSessionAndUser("before")).toMatchObject({ user: { id: "ada" } })
  }, 120_000)
})
