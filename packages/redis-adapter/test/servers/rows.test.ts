/** Rows in Redis: they come back as they were, and nothing of them stays for ever. */
import { redisAdapter } from "@latchkey/redis-adapter"
import { createClient } from "redis"
import { describe, expect, it, vi } from "vitest"
import { freshPrefix, keysOf } from "./support/redis.js"
import { account, ask, everything, expires, grace, open, sha256, url } from "./support/rows.js"

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

  it("is written in the same command as what ends", async () => {
    const client = createClient({ url })
    const sent = vi.spyOn(client, "sendCommand")
    const prefix = freshPrefix()
    const adapter = redisAdapter({ client }, { prefix })
    await adapter.createSession({ sessionToken: "a", userId: "ada", expires })
    await adapter.createVerificationToken({ identifier: "a", token: "b", expires })
    const commands = sent.mock.calls.map(([args]) => args.map(String))
    const about = (part: string): (string | undefined)[] =>
      commands.filter((args) => args.some((arg) => arg.startsWith(`${prefix}:${part}`))).map(([name]) => name)
    for (const part of ["session:", "sessions-of:"]) expect(about(part).at(-1)).toMatch(/^EVAL/)
    expect(about("verification-token:")).toEqual(["SET"])
    expect(commands.filter(([name = ""]) => /EXPIRE/.test(name))).toEqual([])
    await client.close()
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

  it("returns a session for a minute after its end: the service decides by its own clock", {
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

describe("the server", () => {
  it("is checked by its settings", async () => {
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
