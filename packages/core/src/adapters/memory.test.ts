import { describe, expect, it } from "vitest"
import type { Adapter } from "../types/adapter.js"
import type { AdapterUser } from "../types/identity.js"
import { memoryAdapter } from "./memory.js"
import { copy } from "./tables.js"

const ada: AdapterUser = { id: "1", email: "ada@example.test", emailVerified: null }
const account = { provider: "example", providerAccountId: "7", type: "oauth" as const }

describe("memoryAdapter", () => {
  it("offers every operation and holds none of them on a prototype", () => {
    const adapter = memoryAdapter()
    expect(Object.keys(adapter).sort()).toEqual([
      "comparesExactly",
      "countRecord",
      "createAuthenticator",
      "createSession",
      "createUser",
      "createUserWithAccount",
      "createVerificationToken",
      "deleteExpired",
      "deleteRecords",
      "deleteSession",
      "deleteSessionsByUserId",
      "deleteUser",
      "emptyEmail",
      "getAccount",
      "getAuthenticator",
      "getRecord",
      "getSessionAndUser",
      "getUser",
      "getUserByAccount",
      "getUserByEmail",
      "linkAccount",
      "listAccountsByUserId",
      "listAuthenticatorsByUserId",
      "listRecords",
      "listSessionsByUserId",
      "putRecord",
      "scanRecords",
      "takeRecord",
      "transaction",
      "unlinkAccount",
      "updateAccount",
      "updateAuthenticatorCounter",
      "updateSession",
      "updateUser",
      "useVerificationToken",
    ])
    expect(Object.getPrototypeOf(adapter)).toBe(Object.prototype)
  })

  it("keeps two stores apart", async () => {
    const [one, two] = [memoryAdapter(), memoryAdapter()]
    await one.createUser(ada)
    expect(await two.getUser("1")).toBeNull()
  })

  it("makes an id where none is given", async () => {
    const user = await memoryAdapter().createUser({ ...ada, id: "" })
    expect(user.id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it("finds a numeric id by its string", async () => {
    const adapter = memoryAdapter()
    await adapter.createUser({ ...ada, id: 7 as unknown as string })
    expect(await adapter.getUser("7")).toMatchObject({ id: 7 })
    await adapter.createSession({ sessionToken: "s", userId: "7", expires: new Date(0) })
    expect(await adapter.listSessionsByUserId(7 as unknown as string)).toHaveLength(1)
  })

  it.each([
    ["linkAccount", (adapter: Required<Adapter>) => adapter.linkAccount({ ...account, userId: "nobody" })],
    [
      "createSession",
      (adapter: Required<Adapter>) =>
        adapter.createSession({ sessionToken: "s", userId: "nobody", expires: new Date() }),
    ],
  ])("%s refuses a user that does not exist", async (_, call) => {
    await expect(call(memoryAdapter())).rejects.toThrow("no user")
  })

  it("reads undefined in a patch as not given", async () => {
    const adapter = memoryAdapter()
    await adapter.createUser({ ...ada, name: "Ada" })
    const patch = { id: "1", name: undefined } as unknown as AdapterUser
    expect(await adapter.updateUser(patch)).toMatchObject({ name: "Ada" })
  })

  it("never moves an account to another user with updateAccount", async () => {
    const adapter = memoryAdapter()
    await adapter.createUser(ada)
    await adapter.linkAccount({ ...account, userId: "1" })
    await adapter.updateAccount({ ...account, userId: "2" })
    expect(await adapter.getUserByAccount(account)).toMatchObject({ id: "1" })
  })

  it("copies nested values in and out", async () => {
    const adapter = memoryAdapter()
    await adapter.createUser(ada)
    const state = { nested: ["a"] }
    await adapter.linkAccount({ ...account, userId: "1", session_state: state })
    state.nested.push("b")
    const found = await adapter.getAccount("7", "example")
    expect(found?.session_state).toEqual({ nested: ["a"] })
  })

  it("treats a member called __proto__ as data", () => {
    const value = JSON.parse('{"__proto__":{"polluted":true}}')
    const result = copy(value)
    expect(Object.keys(result)).toEqual(["__proto__"])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe("transaction", () => {
  it("refuses the adapter of a transaction that has ended", async () => {
    const adapter = memoryAdapter()
    let kept: Adapter | undefined
    await adapter.transaction(async (open) => {
      kept = open
    })
    await expect(kept?.createUser?.(ada)).rejects.toThrow("has ended")
    await expect(kept?.transaction?.(async () => {})).rejects.toThrow("has ended")
    expect(await adapter.getUser("1")).toBeNull()
  })

  it("rolls an inner transaction back alone", async () => {
    const adapter = memoryAdapter()
    await adapter.transaction(async (outer) => {
      await outer.createUser?.(ada)
      const inner = outer.transaction?.(async (open) => {
        await open.createUser?.({ ...ada, id: "2", email: "two@example.test" })
        throw new Error("inner")
      })
      await expect(inner).rejects.toThrow("inner")
    })
    expect(await adapter.getUser("1")).not.toBeNull()
    expect(await adapter.getUser("2")).toBeNull()
  })

  it("rolls an inner transaction back with the outer one", async () => {
    const adapter = memoryAdapter()
    const outer = adapter.transaction(async (open) => {
      await open.transaction?.(async (inner) => {
        await inner.createUser?.(ada)
      })
      throw new Error("outer")
    })
    await expect(outer).rejects.toThrow("outer")
    expect(await adapter.getUser("1")).toBeNull()
  })

  it("works again after a throw that was synchronous", async () => {
    const adapter = memoryAdapter()
    const work = (): never => {
      throw new Error("at once")
    }
    await expect(adapter.transaction(work)).rejects.toThrow("at once")
    await expect(adapter.createUser(ada)).resolves.toMatchObject({ id: "1" })
  })
})
