/** Single keys that are lost, as a server that evicts loses them, and what a full server does to new records. */
import { describe, expect, it } from "vitest"
import { ada, expires, faultOf, open, url } from "./support/fault-server.js"
import { withClient } from "./support/redis.js"

const account = { provider: "a", providerAccountId: "1", type: "oauth" as const }
const passkey = {
  credentialID: "key",
  providerAccountId: "key",
  credentialPublicKey: "public",
  counter: 0,
  credentialDeviceType: "multiDevice",
  credentialBackedUp: true,
}
const lose = (...keys: string[]): Promise<unknown> => withClient(url(), (send) => send("DEL", ...keys))
const addressOf = async (): Promise<string> => {
  const [key = ""] = (await withClient(url(), (send) => send("KEYS", "{faults}:email:*"))) as string[]
  return key
}

describe("keys that are lost one at a time", { tags: ["threat:RC-29", "threat:FD-25"] }, () => {
  it("an account that the list of its user has lost signs nobody in: nothing could remove it", async () => {
    const adapter = open()
    await adapter.createUserWithAccount(ada, account)
    await lose("{faults}:accounts-of:ada")
    expect(await adapter.listAccountsByUserId("ada")).toEqual([])
    await expect(adapter.getUserByAccount(account)).rejects.toThrow("the list of its user's accounts has lost it")
    await adapter.linkAccount({ ...account, userId: "ada", providerAccountId: "2" })
    expect(await adapter.getUserByAccount({ ...account, providerAccountId: "2" })).toMatchObject(ada)
    await expect(adapter.getUserByAccount(account)).rejects.toThrow("has lost it")
    await adapter.unlinkAccount(account)
    expect(await adapter.getUserByAccount(account)).toBeNull()
  })

  it("an address that mail goes to is named again: whoever enters by it has proven it", async () => {
    const adapter = open()
    const address = { provider: "mail", providerAccountId: ada.email, type: "email" as const }
    await adapter.createUserWithAccount(ada, address)
    await adapter.linkAccount({ ...account, userId: "ada" })
    await lose("{faults}:accounts-of:ada")
    expect(await adapter.getUserByAccount(address)).toMatchObject(ada)
    expect(await adapter.listAccountsByUserId("ada")).toMatchObject([address])
    await expect(adapter.getUserByAccount(account)).rejects.toThrow("has lost it")
  })

  it("an account that is unlinked at the same moment finds nobody", async () => {
    const adapter = open()
    await adapter.createUser(ada)
    for (let count = 0; count < 50; count += 1) {
      await adapter.linkAccount({ ...account, userId: "ada" })
      const [found] = await Promise.all([adapter.getUserByAccount(account), adapter.unlinkAccount(account)])
      if (found) expect(found).toMatchObject(ada)
    }
  })

  it("whoever lost their user is registered again, with account and passkey, and nobody else's", async () => {
    const adapter = open()
    await adapter.createUserWithAccount(ada, account, passkey)
    const bob = { id: "bob", email: "bob@example.test", emailVerified: null }
    await expect(adapter.createUserWithAccount(bob, account)).rejects.toThrow("linked already")
    await lose("{faults}:user:ada")
    await adapter.createUserWithAccount({ ...ada, id: "again" }, account, passkey)
    expect(await adapter.getUserByAccount(account)).toMatchObject({ id: "again" })
    expect(await adapter.getAuthenticator("key")).toMatchObject({ userId: "again" })
    expect(await adapter.listAccountsByUserId("ada")).toEqual([])
    await expect(adapter.createUserWithAccount(bob, account)).rejects.toThrow("linked already")
  })

  it.each([
    ["is removed", (adapter: ReturnType<typeof open>) => adapter.deleteUser("ada")],
    [
      "gets another",
      (adapter: ReturnType<typeof open>) => adapter.updateUser({ id: "ada", email: "new@example.test" }),
    ],
  ])("an address that was lost stays with whoever has it now when its first user %s", async (_, change) => {
    const adapter = open()
    await adapter.createUser(ada)
    await lose(await addressOf())
    await adapter.createUser({ ...ada, id: "later" })
    await change(adapter)
    expect(await adapter.getUserByEmail(ada.email)).toMatchObject({ id: "later" })
  })
})

describe("a full server", { tags: ["threat:FD-25"] }, () => {
  it("takes no new records, and those that are there change and end", async () => {
    const adapter = open()
    const now = new Date("2026-01-01T00:00:00Z")
    const record = { kind: "sample", key: "one", userId: "ada", value: "sealed", version: 1, expires }
    const tries = { add: 1, expires, now }
    await adapter.putRecord(record, { expected: 0, now })
    await adapter.countRecord({ kind: "tries", key: "one" }, tries)
    await withClient(url(), (send) => send("CONFIG", "SET", "maxmemory", "1"))
    const works = [
      adapter.putRecord({ ...record, key: "two" }, { expected: 0, now }),
      adapter.countRecord({ kind: "tries", key: "two" }, tries),
    ]
    expect(await Promise.all(works.map(faultOf))).toEqual(["out of memory", "out of memory"])
    expect(await adapter.putRecord({ ...record, version: 2 }, { expected: 1, now })).toBe(true)
    expect(await adapter.deleteRecords("ada", {})).toBe(1)
    await withClient(url(), (send) => send("CONFIG", "SET", "maxmemory", "0"))
    expect((await adapter.scanRecords("sample", { limit: 9 })).length).toBe(0)
  })
})
