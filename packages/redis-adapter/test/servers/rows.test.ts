/** What lies in Redis: the documented keys, no secrets, and nothing that stays for ever. */
import { createHash } from "node:crypto"
import type { RedisAdapter } from "@latchkey/redis-adapter"
import { redisAdapter } from "@latchkey/redis-adapter"
import { createClient } from "redis"
import { afterEach, describe, expect, inject, it, vi } from "vitest"
import { freshPrefix, keysOf, withClient } from "./support/redis.js"

const url = inject("redis")
const expires = new Date("2099-01-01T00:00:00.000Z")
const grace = 60_000
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
const opened: RedisAdapter[] = []

function open(): { adapter: RedisAdapter; prefix: string; told: Error[] } {
  const prefix = freshPrefix()
  const told: Error[] = []
  const adapter = redisAdapter({ url }, { prefix, onError: (error) => void told.push(error) })
  opened.push(adapter)
  return { adapter, prefix, told }
}
afterEach(async () => {
  for (const adapter of opened.splice(0)) await adapter.close()
})
const ask = (...args: string[]): Promise<unknown> => withClient(url, (send) => send(...args))

const account = { provider: "github", providerAccountId: "4711", type: "oauth" as const, access_token: "secret-token" }

async function everything(adapter: RedisAdapter): Promise<void> {
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

describe("keys", () => {
  it("are those the guide names, and hold no secret, address or account id", async () => {
    const { adapter, prefix } = open()
    await everything(adapter)
    const names = await keysOf(prefix)
    expect(names.map((name) => name.replaceAll(prefix, "latchkey"))).toEqual(
      [
        `latchkey:session:${sha256("session-secret")}`,
        "latchkey:sessions-of:ada",
        `latchkey:verification-token:${sha256('["ada@example.test","hash-of-the-link"]')}`,
        "{latchkey}:user:ada",
        `{latchkey}:email:${sha256('["ada@example.test"]')}`,
        `{latchkey}:account:${sha256('["github","4711"]')}`,
        `{latchkey}:authenticator:${sha256('["credential-id"]')}`,
        "{latchkey}:accounts-of:ada",
        "{latchkey}:authenticators-of:ada",
      ].sort(),
    )
  })

  it("hold the token of a session nowhere, neither in keys nor in values", async () => {
    const { adapter, prefix } = open()
    await everything(adapter)
    const dumps = await Promise.all(
      (await keysOf(prefix)).map((key) =>
        withClient(url, async (send) => {
          const type = await send("TYPE", key)
          const read: Record<string, string[]> = {
            string: ["GET", key],
            hash: ["HGETALL", key],
            set: ["SMEMBERS", key],
            zset: ["ZRANGE", key, "0", "-1"],
          }
          return JSON.stringify(await send(...(read[String(type)] ?? [])))
        }),
      ),
    )
    expect(dumps.join()).toContain("secret-token")
    expect(dumps.join()).not.toContain("session-secret")
  })

  it("are all gone with the user, but links", async () => {
    const { adapter, prefix } = open()
    await everything(adapter)
    await adapter.deleteUser("ada")
    expect((await keysOf(prefix)).filter((name) => !name.includes("verification-token"))).toEqual([])
  })

  it("written by hand as the guide says are read as a session", async () => {
    const { adapter, prefix } = open()
    await everything(adapter)
    const hash = sha256("moved here")
    const sweep = String(expires.getTime() + grace)
    await ask("HSET", `${prefix}:session:${hash}`, "owner", "ada", "expires", String(expires.getTime()))
    await ask("PEXPIREAT", `${prefix}:session:${hash}`, sweep)
    await ask("ZADD", `${prefix}:sessions-of:ada`, sweep, hash)
    expect(await adapter.getSessionAndUser("moved here")).toMatchObject({
      session: { sessionToken: "moved here", userId: "ada", expires },
      user: { id: "ada" },
    })
    expect(await adapter.listSessionsByUserId("ada")).toHaveLength(2)
  })
})

describe("rows", () => {
  it("come back as they were, dates as dates, and texts that look like dates as texts", async () => {
    const { adapter } = open()
    await everything(adapter)
    const found = await adapter.getUserByAccount(account)
    expect(found).toEqual({
      id: "ada",
      name: "Ada",
      email: "Ada@Example.test",
      emailVerified: new Date("2026-01-02T03:04:05.678Z"),
      image: null,
    })
    const member = { id: "bob", email: "", emailVerified: null, name: "2026-01-02T03:04:05.678Z", born: new Date(0) }
    await adapter.createUser(member)
    expect(await adapter.getUser("bob")).toEqual({ ...member, image: null })
  })

  it("keep a numeric id a number, and find it by its text", async () => {
    const { adapter } = open()
    const user = await adapter.createUser({
      id: 7 as unknown as string,
      email: "seven@example.test",
      emailVerified: null,
    })
    await adapter.createSession({ sessionToken: "seven", userId: user.id, expires })
    expect(await adapter.getUser("7")).toMatchObject({ id: 7 })
    expect(await adapter.getSession("seven")).toMatchObject({ userId: 7 })
    expect(await adapter.getSessionAndUser("seven")).toMatchObject({ user: { id: 7 } })
  })

  it("keep further members of a session", async () => {
    const { adapter } = open()
    const more = { sessionToken: "more", userId: "ada", expires, device: "phone", seen: new Date(0) }
    await adapter.createSession(more)
    expect(await adapter.getSession("more")).toEqual(more)
  })

  it("have one address for all cases, and find it exactly", async () => {
    const { adapter } = open()
    await everything(adapter)
    expect(await adapter.getUserByEmail("ada@example.test")).toBeNull()
    const again = { id: "again", email: "ada@example.test", emailVerified: null }
    await expect(adapter.createUser(again)).rejects.toThrow("Another user has this address")
    await adapter.updateUser({ id: "ada", email: "ada@example.test" })
    expect(await adapter.getUserByEmail("ada@example.test")).not.toBeNull()
    await adapter.updateUser({ id: "ada", email: "" })
    await adapter.createUser(again)
  })

  it("lose no member when many change one user at once", async () => {
    const { adapter } = open()
    await everything(adapter)
    const members = Array.from({ length: 20 }, (_, index) => `member${index}`)
    await Promise.all(members.map((name) => adapter.updateUser({ id: "ada", [name]: true })))
    expect(Object.keys((await adapter.getUser("ada")) ?? {})).toEqual(expect.arrayContaining(members))
  })
})

describe("time", { tags: ["threat:FD-27"] }, () => {
  const ttl = async (key: string): Promise<number> => Number(await ask("PEXPIRETIME", key))

  it("sweeps sessions, lists and links by itself, a minute after their end", async () => {
    const { adapter, prefix } = open()
    await everything(adapter)
    const sweep = expires.getTime() + grace
    for (const name of await keysOf(prefix)) {
      const isPassing = /:session|:verification-token/.test(name)
      expect([name, await ttl(name)]).toEqual([name, isPassing ? sweep : -1])
    }
  })

  it("moves the sweep with the session, and never lets the list end before it", async () => {
    const { adapter, prefix } = open()
    const [sooner, later] = [new Date("2090-01-01"), new Date("2098-01-01")]
    await adapter.createSession({ sessionToken: "a", userId: "ada", expires: sooner })
    await adapter.updateSession({ sessionToken: "a", expires: later })
    expect(await ttl(`${prefix}:session:${sha256("a")}`)).toBe(later.getTime() + grace)
    await adapter.createSession({ sessionToken: "b", userId: "ada", expires: sooner })
    expect(await ttl(`${prefix}:sessions-of:ada`)).toBe(later.getTime() + grace)
  })

  it("hands out an ended session as it is for a minute: the service judges by its own clock", {
    tags: ["threat:RC-26"],
  }, async () => {
    const { adapter } = open()
    const ended = new Date(Date.now() - 1000)
    await adapter.createSession({ sessionToken: "ended", userId: "ada", expires: ended })
    expect(await adapter.getSession("ended")).toMatchObject({ expires: ended })
  })

  it("leaves nothing of a session that ended long ago, and nothing of it on the list", async () => {
    const { adapter, prefix } = open()
    await adapter.createSession({ sessionToken: "old", userId: "ada", expires: new Date(0) })
    await adapter.createVerificationToken({ identifier: "a", token: "b", expires: new Date(0) })
    expect(await keysOf(prefix)).toEqual([])
    await adapter.createSession({ sessionToken: "new", userId: "ada", expires })
    await ask("ZADD", `${prefix}:sessions-of:ada`, "1", "swept")
    await adapter.createSession({ sessionToken: "newer", userId: "ada", expires })
    expect(await ask("ZCARD", `${prefix}:sessions-of:ada`)).toBe(2)
  })

  it("refuses a session without a readable end", async () => {
    const { adapter, prefix } = open()
    const session = { sessionToken: "odd", userId: "ada", expires: new Date(Number.NaN) }
    await expect(adapter.createSession(session)).rejects.toThrow("expires")
    expect(await keysOf(prefix)).toEqual([])
  })
})

describe("tokens", () => {
  it("stored in Redis open nothing when they are presented", async () => {
    const { adapter } = open()
    await adapter.createSession({ sessionToken: "token", userId: "ada", expires })
    const [listed] = await adapter.listSessionsByUserId("ada")
    expect(listed?.sessionToken).toBe(`sha256:${sha256("token")}`)
    for (const stolen of [listed?.sessionToken ?? "", sha256("token")]) {
      expect(await adapter.getSession(stolen)).toBeNull()
      expect(await adapter.updateSession({ sessionToken: stolen, expires })).toBeNull()
    }
    expect(await adapter.deleteSession(listed?.sessionToken ?? "")).not.toBeNull()
    expect(await adapter.getSession("token")).toBeNull()
  })

  it("of one purpose are worth nothing for another, also as keys", { tags: ["threat:A-020"] }, async () => {
    const { adapter } = open()
    await everything(adapter)
    expect(await adapter.useVerificationToken({ identifier: "ada@example.test", token: "session-secret" })).toBeNull()
    expect(await adapter.getSession("hash-of-the-link")).toBeNull()
    for (const odd of ["*", "a:b", "{latchkey}:user:ada", 'x"],["y', "", "\n"]) {
      expect(await adapter.useVerificationToken({ identifier: odd, token: odd })).toBeNull()
      expect(await adapter.getSession(odd)).toBeNull()
    }
    expect(
      await adapter.useVerificationToken({ identifier: "ada@example.test", token: "hash-of-the-link" }),
    ).not.toBeNull()
  })

  it("are used once, by one of fifty", { tags: ["threat:RC-01", "threat:A-027"] }, async () => {
    const { adapter } = open()
    await adapter.createVerificationToken({ identifier: "a", token: "b", expires })
    const used = await Promise.all(
      Array.from({ length: 50 }, () => adapter.useVerificationToken({ identifier: "a", token: "b" })),
    )
    expect(used.filter(Boolean)).toHaveLength(1)
  })
})

describe("the server", () => {
  it("is judged by its settings", async () => {
    const { adapter } = open()
    expect(await adapter.check()).toEqual([])
    expect(await adapter.migrate()).toEqual([])
  })

  it("is asked once for a session and its user, and not before the first operation", async () => {
    const client = createClient({ url })
    const sent = vi.spyOn(client, "sendCommand")
    const adapter = redisAdapter({ client }, { prefix: freshPrefix() })
    expect(client.isOpen).toBe(false)
    await everything(adapter)
    await adapter.getSessionAndUser("session-secret")
    sent.mockClear()
    expect(await adapter.getSessionAndUser("session-secret")).not.toBeNull()
    expect(sent).toHaveBeenCalledTimes(1)
    await client.close()
  })
})
