import { createClient, createClientPool, createCluster, createSentinel } from "redis"
import { describe, expect, it } from "vitest"
import { isCluster, type RedisClient } from "./clients.js"
import { openingOf } from "./source.js"

describe("openingOf", () => {
  it.each(["redis://localhost", "rediss://u:p@host:6380/2", "valkey://localhost:6379", "valkeys://localhost"])(
    "makes a client of ours of %s, and opens nothing",
    async (url) => {
      const opening = openingOf({ url }, 1000)
      expect(opening.isOurs).toBe(true)
      expect((await opening.make()).isOpen).toBe(false)
    },
  )

  it("takes a URL object", async () => {
    expect(openingOf({ url: new URL("redis://localhost") }, 1000).isOurs).toBe(true)
  })

  it.each(["http://user:hunter2@localhost", "localhost:6379", "", "redis://:hunter2@:x"])(
    "refuses %j and does not repeat it",
    (url) => {
      const read = (): unknown => openingOf({ url }, 1000)
      expect(read).toThrow("must look like redis://")
      expect(read).not.toThrow("hunter2")
    },
  )

  it("takes every kind of client, leaves it as it is, and knows a cluster", async () => {
    const clients: readonly RedisClient[] = [
      createClient({ url: "redis://localhost" }),
      createClient({ RESP: 2 }),
      createClientPool({ url: "redis://localhost" }),
      createSentinel({ name: "main", sentinelRootNodes: [{ host: "localhost", port: 26_379 }] }),
      createCluster({ rootNodes: [{ url: "redis://localhost" }] }),
    ]
    for (const client of clients) {
      const opening = openingOf({ client }, 1000)
      expect(opening.isOurs).toBe(false)
      expect(await opening.make()).toBe(client)
      expect(client.isOpen).toBe(false)
    }
    expect(clients.map(isCluster)).toEqual([false, false, false, false, true])
  })

  it.each([[undefined], [{}], [{ client: {} }], [{ client: { get() {} } }], ["redis://localhost"]])(
    "refuses %j",
    (source) => {
      expect(() => openingOf(source as never, 1000)).toThrow("redisAdapter needs")
    },
  )

  it("refuses a client of ioredis by its name", () => {
    // What the constructor of that library makes, as far as it looks like a client.
    const client = { status: "wait", sendCommand() {}, connect: async () => {}, on() {} }
    expect(() => openingOf({ client: client as never }, 1000)).toThrow(
      'Received a client of "ioredis" or "iovalkey", whose methods take other arguments.',
    )
  })

  it("refuses a client of Upstash by its name, and says which address works", () => {
    const client = { createScript() {}, pipeline() {}, get() {} }
    expect(() => openingOf({ client: client as never }, 1000)).toThrow(
      /^redisAdapter needs a client of the "redis" package.*Received a client of "@upstash\/redis".*"rediss:\/\/\.\.\."/,
    )
  })
})
