import { describe, expect, it, vi } from "vitest"
import { later } from "../../test/support/context.js"
import { type ManagedGiven, managedStage, strategies, tokenIn } from "../../test/support/managed-stage.js"
import type { Adapter } from "../types/adapter.js"
import { endPredecessor } from "./predecessor.js"

const account = { provider: "acme", providerAccountId: "1", type: "oauth" as const }

/** Somebody has deleted their account; what `over` keeps of the adapter sees what happens to the next user with the id. */
async function deleted(given: ManagedGiven, count = 1, id = "1") {
  const stage = managedStage(given)
  const user = await stage.memory.createUser({ id, email: "ada@app.test", emailVerified: null })
  const cookies = []
  for (let made = 0; made < count; made++) cookies.push(await stage.signIn(user))
  const warn = vi.fn()
  const context = { ...stage.at() }
  Object.assign(context, { log: { ...context.log, warn } })
  const { store } = context.settings
  const end = (more: object = {}) => endPredecessor(context, { user, drawn: "another", store, ...more })
  return { ...stage, user, cookies, warn, end }
}

describe.each(strategies)("what stands under the id of a new user, %s", (strategy) => {
  it("ends, with one warning", async () => {
    const { cookies, isOpen, warn, end } = await deleted({ strategy }, 2)
    await end()
    for (const one of cookies) expect(await isOpen(one)).toBe(false)
    expect(warn.mock.calls).toEqual([["id-given-again"]])
  })

  it("ends for copies that this process still believes", async () => {
    const { cookies, isOpen, end } = await deleted({ strategy, options: { staleness: 60 } })
    for (const one of cookies) expect(await isOpen(one)).toBe(true)
    await end()
    for (const one of cookies) expect(await isOpen(one)).toBe(false)
  })

  it("is not looked for where the store has kept the id that was drawn", async () => {
    const { user, cookies, isOpen, warn, end } = await deleted({ strategy })
    await end({ drawn: user.id })
    for (const one of cookies) expect(await isOpen(one)).toBe(true)
    expect(warn).not.toHaveBeenCalled()
  })

  it.each<[string, string, boolean]>([
    ["a number", "1795481406123456", false],
    ["a number of many digits", "1".repeat(30), false],
    ["a name", "ada-lovelace", false],
    ["an address", "lovelace-of-london-and-paris@app.test", false],
    ["a name with a point", "ada.lovelace-of-london-and-paris", false],
    ["a UUID", "3f0c7b52-3c9c-4d0b-9a55-2c2f0b1f7d11", true],
    ["a cuid", "clh3qk5yr0000qz8x5b2d7x1k", true],
    ["an id of MongoDB", "65f1c0ffee65f1c0ffee65f1", true],
    ["21 random characters", "V1StGXR8_Z5jdHi6B-myT", true],
  ])("is looked for under an id that a store may give again: %s", async (_, id, isOpenStill) => {
    const { cookies, isOpen, end } = await deleted({ strategy }, 1, id)
    await end()
    for (const one of cookies) expect(await isOpen(one)).toBe(isOpenStill)
  })

  it("is warned of only where there is something", async () => {
    const { warn, end } = await deleted({ strategy }, 0)
    await end()
    expect(warn).not.toHaveBeenCalled()
  })

  it("is not read again where records are not managed, and rows can go at once", async () => {
    const { warn, end, records } = await deleted({ strategy, options: null }, 1)
    const list = vi.spyOn(records, "listRecords")
    await end()
    expect([list.mock.calls, warn.mock.calls]).toEqual([[], []])
  })
})

describe("rows of sessions under the id of a new user", () => {
  const counting = (operations: readonly (keyof Adapter)[]) => {
    const calls: string[] = []
    const over = (adapter: Required<Adapter>) =>
      Object.fromEntries(
        operations.map((name) => [
          name,
          (...args: never[]) => {
            calls.push(name)
            return (adapter[name] as (...given: never[]) => unknown)(...args)
          },
        ]),
      )
    return { calls, over }
  }

  it("go at once where the adapter can, and no record is read", async () => {
    const { calls, over } = counting(["deleteSessionsByUserId", "deleteSession"])
    const { end, records, memory, cookies, warn } = await deleted({ strategy: "database", over }, 2)
    const list = vi.spyOn(records, "listRecords")
    await end()
    expect([calls, list.mock.calls]).toEqual([["deleteSessionsByUserId"], []])
    for (const one of cookies) expect(await memory.getSessionAndUser(tokenIn(one))).toBeNull()
    expect(warn).toHaveBeenCalledOnce()
  })

  it("go one by one where it cannot", async () => {
    const over = () => ({ deleteSessionsByUserId: undefined })
    const { end, memory, cookies } = await deleted({ strategy: "database", over }, 2)
    await end()
    for (const one of cookies) expect(await memory.getSessionAndUser(tokenIn(one))).toBeNull()
  })

  it("are of no concern where sessions are in tokens", async () => {
    const { calls, over } = counting(["deleteSessionsByUserId", "deleteSession"])
    const { end, memory, user } = await deleted({ strategy: "jwt", over }, 1)
    await memory.createSession({ sessionToken: "of other software", userId: user.id, expires: later(60) })
    await end()
    expect(calls).toEqual([])
    const without = await deleted({ strategy: "jwt", over: () => ({ deleteSessionsByUserId: undefined }) }, 1)
    const asked = vi.spyOn(without.records, "listRecords")
    await without.end()
    expect(asked).not.toHaveBeenCalled()
  })
})

describe("accounts under the id of a new user", () => {
  it.each<[string, object | undefined, readonly string[]]>([
    ["are removed", undefined, ["1", "2"]],
    ["but the one that was stored with the user", { provider: "acme", providerAccountId: "1" }, ["2"]],
    ["of another provider with the same id too", { provider: "other", providerAccountId: "1" }, ["1", "2"]],
  ])("%s", async (_, own, removed) => {
    for (const toId of [String, Number]) {
      const unlinkAccount = vi.fn()
      const listAccountsByUserId = async () => ["1", "2"].map((id) => ({ ...account, providerAccountId: toId(id) }))
      const over = () => ({ unlinkAccount, listAccountsByUserId })
      const { end, warn } = await deleted({ strategy: "jwt", over, options: null }, 0)
      await end(own && { own })
      expect(unlinkAccount.mock.calls).toEqual(removed.map((id) => [{ provider: "acme", providerAccountId: toId(id) }]))
      expect(warn.mock.calls).toEqual([["id-given-again"]])
    }
  })

  it("stay where they are of somebody else, should an adapter list those as well", async () => {
    const unlinkAccount = vi.fn()
    const owners = [undefined, null, "another", 7]
    const listAccountsByUserId = async (id: string) =>
      [...owners, id].map((userId, at) => ({ ...account, providerAccountId: String(at), userId }))
    const { end } = await deleted({ strategy: "jwt", over: () => ({ unlinkAccount, listAccountsByUserId }) }, 0)
    await end()
    expect(unlinkAccount.mock.calls.map(([{ providerAccountId }]) => providerAccountId)).toEqual(["0", "1", "4"])
  })
})
