/** What the adapter does when the server is down, frozen, restarted, full, a replica, or holds what it never wrote. */
import { createHash } from "node:crypto"
import { createAuth } from "@latchkey/core"
import { combine } from "@latchkey/core/adapters"
import { memoryAdapter } from "@latchkey/core/memory"
import { type RedisAdapter, RedisError, redisAdapter } from "@latchkey/redis-adapter"
import { createClient, createClientPool } from "redis"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type RedisOptions, startRedis } from "../../../../tools/servers/redis.js"
import type { Server } from "../../../../tools/servers/server.js"
import { withClient } from "./support/redis.js"

const expires = new Date("2099-01-01T00:00:00Z")
const ada = { id: "ada", email: "ada@example.test", emailVerified: null }
const closing: (() => unknown)[] = []
const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

let server: Server
const url = (): string => server.url

function open(options: { timeout?: number; url?: string } = {}): RedisAdapter {
  const adapter = redisAdapter({ url: options.url ?? url() }, { prefix: "faults", timeout: options.timeout ?? 1500 })
  closing.push(() => adapter.close())
  return adapter
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error("it succeeded"),
    (thrown: unknown) => thrown,
  )
  return error instanceof RedisError ? error.fault : `not a RedisError: ${String(error)}`
}

/** An own server, gone after the test. */
async function another(options: RedisOptions): Promise<Server> {
  const other = await startRedis(options)
  closing.push(() => other.stop())
  return other
}

beforeAll(async () => {
  process.on("unhandledRejection", note)
  server = await startRedis()
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  server.resume()
  await withClient(url(), (send) => send("FLUSHALL"))
  expect(unhandled).toEqual([])
})
afterAll(async () => {
  process.off("unhandledRejection", note)
  await server.stop()
})

const sessionKey = (token: string): string => `faults:session:${createHash("sha256").update(token).digest("hex")}`

async function signedIn(adapter: RedisAdapter): Promise<void> {
  await adapter.createUser(ada)
  await adapter.createSession({ sessionToken: "token", userId: "ada", expires })
}

describe("a server that is away", () => {
  it("is told at once, with the cause and without the password", {
    tags: ["threat:FD-01", "threat:FD-25"],
  }, async () => {
    const adapter = open({ url: "redis://user:hunter2@127.0.0.1:1" })
    const error = await adapter.getSessionAndUser("token").catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ name: "RedisError", fault: "unreachable", cause: { code: "ECONNREFUSED" } })
    expect(JSON.stringify([String(error), (error as Error).stack])).not.toContain("hunter2")
  })

  it("fails every operation, and not one silently", async () => {
    const adapter = open({ url: "redis://127.0.0.1:1" })
    const works = [
      adapter.getUserByEmail("ada@example.test"),
      adapter.getUserByAccount({ provider: "a", providerAccountId: "b" }),
      adapter.createVerificationToken({ identifier: "a", token: "b", expires }),
      adapter.useVerificationToken({ identifier: "a", token: "b" }),
      adapter.deleteSession("token"),
    ]
    expect(await Promise.all(works.map(faultOf))).toEqual(works.map(() => "unreachable"))
  })

  it("is found again when it comes back, by itself and with scripts it does not know yet", async () => {
    const adapter = open({ timeout: 10_000 })
    await signedIn(adapter)
    await server.kill()
    expect(await faultOf(adapter.getSessionAndUser("token"))).toBe("unreachable")
    await server.restart()
    await expect
      .poll(() => adapter.getSessionAndUser("token").catch(() => null), { timeout: 10_000 })
      .toMatchObject({
        user: { id: "ada" },
      })
    expect(await adapter.deleteSession("token")).toMatchObject({ userId: "ada" })
  })

  it("killed in the middle of many first sign-ins leaves whole people only", {
    tags: ["threat:FP-07", "threat:RC-28"],
  }, async () => {
    const adapter = open({ timeout: 10_000 })
    const accountOf = (index: number) => ({ provider: "a", providerAccountId: String(index), type: "oauth" as const })
    const emailOf = (index: number): string => `${index}@example.test`
    const crowd = Array.from({ length: 400 }, (_, index) => index)
    const works = crowd.map((index) =>
      adapter.createUserWithAccount({ id: "", email: emailOf(index), emailVerified: null }, accountOf(index)),
    )
    const outcomes = Promise.allSettled(works)
    await works[40]
    await server.kill()
    await outcomes
    await server.restart()
    await expect.poll(() => adapter.getUser("nobody").catch(() => "away"), { timeout: 10_000 }).toBeNull()
    for (const index of crowd) {
      const [byEmail, byAccount] = [
        await adapter.getUserByEmail(emailOf(index)),
        await adapter.getUserByAccount(accountOf(index)),
      ]
      expect(byAccount).toEqual(byEmail)
    }
    expect(await adapter.getUserByEmail(emailOf(0))).not.toBeNull()
  })

  it("may be a restart between two requests: nobody notices", async () => {
    const adapter = open({ timeout: 10_000 })
    await signedIn(adapter)
    await server.restart()
    await expect.poll(() => adapter.getSessionAndUser("token").catch(() => null)).toMatchObject({ user: { id: "ada" } })
  })

  it("never lets a session read answer `null`: cannot tell is not signed out", { tags: ["threat:FD-01"] }, async () => {
    const auth = createAuth(
      { providers: [], adapter: open({ url: "redis://127.0.0.1:1" }), logger: { error() {}, warn() {}, debug() {} } },
      { env: { AUTH_SECRET: "a secret that is long enough, really", AUTH_URL: "http://localhost:3000" } },
    )
    const headers = { cookie: "authjs.session-token=token" }
    const response = await auth.handle(new Request("http://localhost:3000/auth/session", { headers }))
    expect(response.status).toBe(503)
    expect(response.headers.get("set-cookie")).toBeNull()
  })
})

describe("a server that is frozen", () => {
  it.each(["address", "client", "pool"] as const)(
    "is given up within the time, and used again later, by %s",
    async (kind) => {
      const make = (): RedisAdapter => {
        if (kind === "address") return open({ timeout: 1500 })
        const client = kind === "pool" ? createClientPool({ url: url() }) : createClient({ url: url() })
        closing.push(() => client.destroy())
        return redisAdapter({ client }, { prefix: "faults", timeout: 1500 })
      }
      const adapter = make()
      await signedIn(adapter)
      server.pause()
      expect(await faultOf(adapter.getSessionAndUser("token"))).toBe("timeout")
      // Connecting anew ends as well: the kernel accepts, nobody answers.
      expect(await faultOf(adapter.getSessionAndUser("token"))).toBe("timeout")
      server.resume()
      await expect
        .poll(() => adapter.getSessionAndUser("token").catch(() => null), { timeout: 10_000 })
        .toMatchObject({
          user: { id: "ada" },
        })
    },
  )

  it("stays closed when the application has closed its client", async () => {
    const client = createClient({ url: url() })
    const adapter = redisAdapter({ client }, { prefix: "faults" })
    await adapter.createUser(ada)
    await client.close()
    expect(await faultOf(adapter.getUser("ada"))).toBe("closed")
    expect(client.isOpen).toBe(false)
  })

  it("does not hold up closing", async () => {
    const adapter = open({ timeout: 1500 })
    await adapter.createUser(ada)
    server.pause()
    await adapter.close()
    expect(await faultOf(adapter.getUser("ada"))).toBe("closed")
  })
})

describe("a server that refuses", () => {
  it("is full: what is there can be read, nothing is half written", { tags: ["threat:FD-25"] }, async () => {
    const adapter = open()
    await adapter.createUser(ada)
    await adapter.createSession({ sessionToken: "token", userId: "ada", expires })
    await withClient(url(), (send) => send("CONFIG", "SET", "maxmemory", "1"))
    const account = { provider: "a", providerAccountId: "1", type: "oauth" as const }
    const works = [
      adapter.createUserWithAccount({ id: "bob", email: "bob@example.test", emailVerified: null }, account),
      adapter.createSession({ sessionToken: "other", userId: "ada", expires }),
      adapter.createVerificationToken({ identifier: "a", token: "b", expires }),
      adapter.updateUser({ id: "ada", email: "new@example.test" }),
    ]
    expect(await Promise.all(works.map(faultOf))).toEqual(works.map(() => "out of memory"))
    expect(await adapter.getSessionAndUser("token")).toMatchObject({ user: ada })
    await withClient(url(), (send) => send("CONFIG", "SET", "maxmemory", "0"))
    expect(await adapter.getUserByEmail("bob@example.test")).toBeNull()
    expect(await adapter.getUserByAccount(account)).toBeNull()
    expect(await adapter.getUserByEmail(ada.email)).toMatchObject(ada)
    expect(await adapter.listSessionsByUserId("ada")).toHaveLength(1)
  })

  it("is a replica: writes are refused, and go through once it is the primary", async () => {
    const adapter = open()
    await signedIn(adapter)
    await withClient(url(), (send) => send("REPLICAOF", "127.0.0.1", "1"))
    expect(await faultOf(adapter.createSession({ sessionToken: "other", userId: "ada", expires }))).toBe("read-only")
    expect(await adapter.getSessionAndUser("token")).toMatchObject({ user: { id: "ada" } })
    expect((await adapter.check()).join()).toContain("replica")
    await withClient(url(), (send) => send("REPLICAOF", "NO", "ONE"))
    expect(await adapter.createSession({ sessionToken: "other", userId: "ada", expires })).toMatchObject({
      userId: "ada",
    })
  })

  it("wants another password: the message says so and does not hold it", async () => {
    const adapter = open({ url: url().replace(/:[^:@]+@/, ":not-the-password@") })
    const error = (await adapter.getUser("ada").catch((thrown: unknown) => thrown)) as Error
    expect(error).toMatchObject({ fault: "refused" })
    expect(`${error.stack}${String(error.cause)}`).not.toContain("not-the-password")
  })

  it("lets a user with few rights do all there is to do, and says what is missing otherwise", async () => {
    const other = await another({ password: "first" })
    const rules = [
      "on",
      ">second",
      "~few:*",
      "~{few}:*",
      "-@all",
      "+@connection",
      "+@scripting",
      "+@read",
      "+@write",
      "+time",
    ]
    await withClient(other.url, (send) => send("ACL", "SETUSER", "few", ...rules))
    const address = other.url.replace("//:first@", "//few:second@")
    const adapter = redisAdapter({ url: address }, { prefix: "few" })
    closing.push(() => adapter.close())
    await signedIn(adapter)
    expect(await adapter.getSessionAndUser("token")).toMatchObject({ user: { id: "ada" } })
    await adapter.deleteUser("ada")
    expect(await faultOf(open({ url: address }).createUser(ada))).toBe("refused")
  })
})

describe("values the adapter never wrote", { tags: ["threat:FD-26"] }, () => {
  it.each([
    ["of another type", ["SET", "text"]],
    ["a session without an end", ["HSET", "owner", "ada"]],
    ["a session with an unreadable end", ["HSET", "owner", "ada", "expires", "soon"]],
    ["a session with unreadable members", ["HSET", "owner", "ada", "expires", "4070908800000", "more", "{"]],
  ])("open no session and make no loop: %s", async (_, [command = "", ...rest]) => {
    const told: Error[] = []
    const adapter = redisAdapter({ url: url() }, { prefix: "faults", onError: (error) => void told.push(error) })
    closing.push(() => adapter.close())
    await adapter.createUser(ada)
    await withClient(url(), (send) => send(command, sessionKey("token"), ...rest))
    expect(await adapter.getSessionAndUser("token")).toBeNull()
    expect(await adapter.getSession("token")).toBeNull()
    expect(told).toHaveLength(2)
    await adapter.deleteSession("token")
  })

  it("are an error where they stand for people: nobody is taken for a stranger", {
    tags: ["threat:FD-03"],
  }, async () => {
    const adapter = open()
    await adapter.createUser(ada)
    await withClient(url(), (send) => send("SET", "{faults}:user:ada", "no row"))
    await expect(adapter.getUserByEmail(ada.email)).rejects.toThrow("user in Redis cannot be read")
  })

  it("use up a link, and sign nobody in", async () => {
    const adapter = open()
    await adapter.createVerificationToken({ identifier: "a", token: "b", expires })
    const [key = ""] = await withClient(
      url(),
      async (send) => (await send("KEYS", "faults:verification-token:*")) as string[],
    )
    await withClient(url(), (send) => send("SET", key, "[1]"))
    expect(await adapter.useVerificationToken({ identifier: "a", token: "b" })).toBeNull()
  })
})

describe("keys that are gone", { tags: ["threat:RC-29", "threat:FD-25"] }, () => {
  it("FLUSHALL signs everybody out, cleanly", async () => {
    const adapter = open()
    await signedIn(adapter)
    await withClient(url(), (send) => send("FLUSHALL"))
    expect(await adapter.getSessionAndUser("token")).toBeNull()
    expect(await adapter.updateSession({ sessionToken: "token", expires })).toBeNull()
    expect(await adapter.deleteSession("token")).toBeNull()
    await signedIn(adapter)
  })

  it("an address or account whose user is gone finds nobody, and is free", async () => {
    const adapter = open()
    const account = { provider: "a", providerAccountId: "1", type: "oauth" as const }
    await adapter.createUserWithAccount(ada, account)
    await withClient(url(), (send) => send("DEL", "{faults}:user:ada"))
    expect(await adapter.getUserByEmail(ada.email)).toBeNull()
    expect(await adapter.getUserByAccount(account)).toBeNull()
    const again = await adapter.createUser({ ...ada, id: "again" })
    await adapter.linkAccount({ ...account, userId: again.id })
    expect(await adapter.getUserByAccount(account)).toMatchObject({ id: "again" })
  })

  it("a session that outlived its list is found, extended and listed again", async () => {
    const adapter = open()
    await signedIn(adapter)
    await withClient(url(), (send) => send("DEL", "faults:sessions-of:ada"))
    expect(await adapter.getSessionAndUser("token")).not.toBeNull()
    await adapter.updateSession({ sessionToken: "token", expires })
    expect(await adapter.listSessionsByUserId("ada")).toHaveLength(1)
  })
})

describe("people in one store, sessions in a Redis that is away", () => {
  it("removes nobody by halves and begins no session", async () => {
    const people = memoryAdapter()
    const adapter = combine(people, { sessions: open({ url: "redis://127.0.0.1:1" }) })
    await people.createUser(ada)
    await expect(Promise.resolve(adapter.deleteUser?.("ada"))).rejects.toThrow(RedisError)
    expect(await people.getUser("ada")).not.toBeNull()
    const work = adapter.transaction?.(async (open) => {
      await open.createUser?.({ ...ada, id: "bob", email: "bob@example.test" })
      await open.createSession?.({ sessionToken: "token", userId: "bob", expires })
    })
    await expect(Promise.resolve(work)).rejects.toThrow(RedisError)
    expect(await people.getUser("bob")).toBeNull()
  })
})
