/** What lies in Redis: the documented keys, and no secrets. */
import { describe, expect, it } from "vitest"
import { keysOf, withClient } from "./support/redis.js"
import { ask, everything, expires, grace, open, sha256, url } from "./support/rows.js"

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
