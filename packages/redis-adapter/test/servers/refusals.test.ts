/** What the adapter does when the server is full, a replica or refuses, or holds what the adapter never wrote. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { redisAdapter } from "@latchkey/redis-adapter"
import { describe, expect, it } from "vitest"
import { ada, afterwards, another, expires, faultOf, open, signedIn, url } from "./support/fault-server.js"
import { withClient } from "./support/redis.js"

const guide = readFileSync(new URL("../../../../docs/guides/redis.md", import.meta.url), "utf8")

/** The rights of a user as the guide prints them, for another prefix and password. */
function printedRules(prefix: string, password: string): string[] {
  const [, rules = ""] = /^ACL SETUSER auth (.+)$/m.exec(guide) ?? []
  return rules.replaceAll("latchkey", prefix).replace(">password", `>${password}`).split(" ")
}

const sessionKey = (token: string): string => `faults:session:${createHash("sha256").update(token).digest("hex")}`

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

  it("is a replica: writes are refused, and go through once it is the primary", {
    tags: ["threat:FD-25"],
  }, async () => {
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
    const rules = printedRules("few", "second")
    await withClient(other.url, (send) => send("ACL", "SETUSER", "few", ...rules))
    const address = other.url.replace("//:first@", "//few:second@")
    const adapter = redisAdapter({ url: address }, { prefix: "few" })
    afterwards(() => adapter.close())
    await signedIn(adapter)
    expect(await adapter.getSessionAndUser("token")).toMatchObject({ user: { id: "ada" } })
    const now = new Date()
    const counted = await adapter.countRecord({ kind: "try", key: "ada" }, { add: 1, expires, now })
    expect(counted).toMatchObject({ sum: 1 })
    expect(await adapter.check()).toEqual(expect.any(Array))
    await adapter.deleteUser("ada")
    expect(await faultOf(open({ url: address }).createUser(ada))).toBe("refused")
  })

  it("gives that user no say over the server, nor sight of what others keep there", async () => {
    const other = await another({ password: "first" })
    await withClient(other.url, (send) => send("ACL", "SETUSER", "few", ...printedRules("few", "second")))
    await withClient(other.url, (send) => send("SET", "others:key", "kept"))
    const refused = (command: string) =>
      withClient(other.url.replace("//:first@", "//few:second@"), (send) =>
        send(...(command.split(" ") as [string])).catch(({ message }: Error) => message.split(" ")[0]),
      )
    const ofTheServer = [
      "FLUSHDB",
      "SWAPDB 0 1",
      "CLIENT LIST",
      "CLIENT PAUSE 1",
      "CLIENT TRACKING ON BCAST",
      "SCRIPT FLUSH",
      "FUNCTION FLUSH",
    ]
    const ofOthers = ["GET others:key", "KEYS *", "SCAN 0", "RANDOMKEY", "DBSIZE", "MIGRATE 127.0.0.1 1 few:x 0 10"]
    for (const command of [...ofTheServer, ...ofOthers]) expect(await refused(command), command).toBe("NOPERM")
  })
})

describe("values the adapter never wrote", { tags: ["threat:FD-26"] }, () => {
  it.each([
    ["of another type", ["SET", "text"]],
    ["a session without an end", ["HSET", "owner", "ada"]],
    ["a session with an unreadable end", ["HSET", "owner", "ada", "expires", "soon"]],
    ["a session with unreadable members", ["HSET", "owner", "ada", "expires", "4070908800000", "more", "{"]],
  ])("open no session and make no loop: %s", async (_, [command = "", ...rest]) => {
    const reported: Error[] = []
    const adapter = redisAdapter({ url: url() }, { prefix: "faults", onError: (error) => void reported.push(error) })
    afterwards(() => adapter.close())
    await adapter.createUser(ada)
    await withClient(url(), (send) => send(command, sessionKey("token"), ...rest))
    expect(await adapter.getSessionAndUser("token")).toBeNull()
    expect(await adapter.getSession("token")).toBeNull()
    expect(reported).toHaveLength(2)
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
