/** The adapter on a cluster of three nodes: every script stays in one hash slot, and sessions spread. */

import { formatContract, runContract } from "@latchkey/adapter-contract"
import { combine } from "@latchkey/core/adapters"
import { memoryAdapter } from "@latchkey/core/memory"
import { type RedisAdapter, type RedisError, redisAdapter } from "@latchkey/redis-adapter"
import { createCluster } from "redis"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type RedisCluster, startRedisCluster } from "../../../../tools/servers/redis.js"
import { withClient } from "./support/redis.js"

let servers: RedisCluster
let cluster: ReturnType<typeof createCluster>
let adapter: RedisAdapter

beforeAll(async () => {
  servers = await startRedisCluster()
  const { password } = new URL(servers.urls[0] ?? "")
  cluster = createCluster({ rootNodes: servers.urls.map((url) => ({ url })), defaults: { password } })
  adapter = redisAdapter({ client: cluster }, { prefix: "spread", timeout: 20_000 })
}, 120_000)

afterAll(async () => {
  if (cluster?.isOpen) cluster.destroy()
  await servers?.stop()
}, 60_000)

/** The keys each node holds. */
const keysByNode = (pattern: string): Promise<string[][]> =>
  Promise.all(servers.urls.map((url) => withClient(url, async (send) => (await send("KEYS", pattern)) as string[])))

describe("on a cluster", () => {
  it("keeps the contract", async () => {
    const report = await runContract(() => adapter, { timeout: 60_000 })
    expect(report.isKept, formatContract(report)).toBe(true)
  }, 300_000)

  it("keeps the contract with people in another adapter", async () => {
    const report = await runContract(
      () => combine(memoryAdapter(), { sessions: adapter, verificationTokens: adapter }),
      {
        timeout: 60_000,
      },
    )
    expect(report.isKept, formatContract(report)).toBe(true)
    expect(report.outcomes.filter(({ status }) => status === "not offered")).toEqual([])
  }, 300_000)

  it("spreads sessions over all nodes, and keeps people together", async () => {
    const user = await adapter.createUser({ id: "spread", email: "spread@example.test", emailVerified: null })
    const expires = new Date("2099-01-01T00:00:00Z")
    const tokens = Array.from({ length: 60 }, (_, index) => `spread-${index}`)
    await Promise.all(tokens.map((sessionToken) => adapter.createSession({ sessionToken, userId: user.id, expires })))
    for (const names of await keysByNode("spread:session:*")) expect(names.length).toBeGreaterThan(5)
    const people = await keysByNode("{spread}:*")
    expect(people.filter((names) => names.length > 0)).toHaveLength(1)
    expect(await adapter.listSessionsByUserId(user.id)).toHaveLength(60)
    expect(await adapter.deleteSessionsByUserId(user.id)).toBe(60)
    expect(await adapter.getSessionAndUser("spread-1")).toBeNull()
  })

  it("keeps records together, so that each change of theirs is one script", async () => {
    const now = new Date("2026-01-01T00:00:00Z")
    for (let index = 0; index < 20; index += 1) {
      const record = { kind: "spread", key: `key-${index}`, userId: `user-${index}`, value: "sealed", version: 1 }
      await adapter.putRecord({ ...record, expires: new Date("2099-01-01T00:00:00Z") }, { expected: 0, now })
    }
    const records = await keysByNode("{spread:records}:*")
    expect(records.filter((names) => names.length > 0)).toHaveLength(1)
    expect(await adapter.scanRecords("spread", { limit: 99 })).toHaveLength(20)
    for (let index = 0; index < 20; index += 1) expect(await adapter.deleteRecords(`user-${index}`, {})).toBe(1)
  })

  it("is checked by its settings", async () => {
    expect(await adapter.check()).toEqual([])
    const policy = (name: string): Promise<unknown> =>
      Promise.all(servers.urls.map((url) => withClient(url, (send) => send("CONFIG", "SET", "maxmemory-policy", name))))
    await policy("allkeys-lru")
    expect(await adapter.check()).toEqual([expect.stringContaining("noeviction")])
    await policy("noeviction")
  })

  it("goes on when a slot has moved to another node [FD-25]", async () => {
    const user = await adapter.createUser({ id: "mover", email: "mover@example.test", emailVerified: null })
    await adapter.createSession({ sessionToken: "moving", userId: user.id, expires: new Date("2099-01-01T00:00:00Z") })
    const { createHash } = await import("node:crypto")
    const key = `spread:session:${createHash("sha256").update("moving").digest("hex")}`
    const [first = ""] = servers.urls
    const slot = await withClient(first, (send) => send("CLUSTER", "KEYSLOT", key))
    const owners = await Promise.all(
      servers.urls.map((url) =>
        withClient(url, async (send) => Number(await send("CLUSTER", "COUNTKEYSINSLOT", String(slot)))),
      ),
    )
    const from = owners.findIndex((count) => count > 0)
    const to = (from + 1) % servers.urls.length
    const target = servers.nodes[to]
    const [source = "", goal = ""] = [servers.urls[from], servers.urls[to]]
    const id = (url: string): Promise<string> => withClient(url, async (send) => String(await send("CLUSTER", "MYID")))
    const [fromId, toId] = [await id(source), await id(goal)]
    const { password } = new URL(goal)
    await withClient(goal, (send) => send("CLUSTER", "SETSLOT", String(slot), "IMPORTING", fromId))
    await withClient(source, async (send) => {
      await send("CLUSTER", "SETSLOT", String(slot), "MIGRATING", toId)
      await send("MIGRATE", "127.0.0.1", String(target?.port), key, "0", "5000", "AUTH", password)
    })
    // Half moved: the old node asks to go to the new one.
    expect(await adapter.getSessionAndUser("moving")).toMatchObject({ user: { id: "mover" } })
    for (const url of servers.urls) {
      await withClient(url, (send) => send("CLUSTER", "SETSLOT", String(slot), "NODE", toId))
    }
    expect(await adapter.getSessionAndUser("moving")).toMatchObject({ user: { id: "mover" } })
    expect(await adapter.deleteSession("moving")).toMatchObject({ userId: "mover" })
  })

  it("goes on with the other nodes when one is away, and with all when it is back", async () => {
    const hasty = redisAdapter({ client: cluster }, { prefix: "spread", timeout: 3000 })
    const tokens = Array.from({ length: 30 }, (_, index) => `away-${index}`)
    for (const sessionToken of tokens) {
      await hasty.createSession({ sessionToken, userId: "away", expires: new Date("2099-01-01T00:00:00Z") })
    }
    await servers.nodes[2]?.kill()
    const outcomes = await Promise.allSettled(tokens.map((token) => hasty.getSession(token)))
    const found = outcomes.filter((outcome) => outcome.status === "fulfilled")
    const failed = outcomes.filter((outcome) => outcome.status === "rejected")
    expect(found.length).toBeGreaterThan(0)
    expect(failed.length).toBeGreaterThan(0)
    // Cannot tell is not signed out: no read answers `null`.
    expect(found.filter(({ value }) => value === null)).toEqual([])
    for (const { reason } of failed) expect(["unreachable", "timeout"]).toContain((reason as RedisError).fault)
    await servers.nodes[2]?.restart()
    const all = (): Promise<number> =>
      Promise.all(tokens.map((token) => hasty.getSession(token))).then(
        (sessions) => sessions.filter(Boolean).length,
        () => 0,
      )
    await expect.poll(all, { timeout: 60_000, interval: 500 }).toBe(tokens.length)
  }, 120_000)
})
