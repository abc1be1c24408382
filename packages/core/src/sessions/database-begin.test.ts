import { describe, expect, it, vi } from "vitest"
import { cookiesAfter, later, type TestContext } from "../../test/support/context.js"
import { type Cookies, type ManagedGiven, managedStage, tokenIn } from "../../test/support/managed-stage.js"
import { account, month } from "../../test/support/signed-in.js"
import { findSession, keyOfToken, listSessions, writeSession } from "../ledger/session.js"
import { memoryRecords } from "../memory.js"
import type { Adapter } from "../types/adapter.js"
import * as databaseStrategy from "./database.js"
import { ledgerOf } from "./managed.js"

/** Where records are not named, they are those of the adapter, and part of its transactions. */
const ofAdapter: Partial<ManagedGiven> = { config: { records: undefined as never } }

/** A user with a session, and sign-ins of theirs a second later. */
async function stage(given: Partial<ManagedGiven> = {}) {
  const whole = managedStage({ ...given, strategy: "database" })
  const { at, memory, newUser, signIn } = whole
  const user = await newUser("ada@app.test")
  const first = await signIn(user)
  const login = { user, account, isNew: false }
  const begin = (context: TestContext) => databaseStrategy.begin(context, login, context.settings.store)
  /** One in a transaction, which is committed where `then` does not throw. */
  const beginInside = (context: TestContext, then: () => void = () => {}) =>
    context.settings.store.transaction(async (store) => {
      const begun = await databaseStrategy.begin(context, login, store)
      then()
      return begun
    })
  const recordsOfUser = () => listSessions(ledgerOf(at()), user.id)
  /** A new token for the session of a record, as of a request that has not seen its mark. */
  const renewed = async (cookies: Cookies) => {
    const record = await findSession(ledgerOf(at()), tokenIn(cookies))
    if (!record) throw new Error("there is no record")
    return async (): Promise<Cookies> => {
      const [sessionToken, ledger] = ["new", ledgerOf(at())]
      const { content, expires } = record
      const draft = { key: await keyOfToken(ledger, sessionToken), userId: user.id, expires }
      await writeSession(ledger, { ...draft, content: { ...content, sessionToken } })
      await memory.createSession({ sessionToken, userId: user.id, expires })
      return Object.fromEntries(Object.keys(cookies).map((name) => [name, sessionToken]))
    }
  }
  const rowsOfUser = async () => (await memory.listSessionsByUserId(user.id)).map((row) => row.sessionToken)
  return { ...whole, user, first, begin, beginInside, recordsOfUser, rowsOfUser, renewed }
}

const typesOf = ({ logged }: TestContext) => logged.map((error) => (error as { type?: unknown }).type)

describe("a sign-in outside a transaction", { tags: ["threat:SF-08"] }, () => {
  it("has ended what it ends, and there is nothing to settle", async () => {
    const { at, first, begin, isOpen, recordsOfUser } = await stage()
    const context = at(first, 1)
    const begun = await begin(context)
    const [change] = begun.cookies
    expect(begun).toStrictEqual({ cookies: [change], events: [] })
    expect(change).toMatchObject({ role: "sessionToken", expires: later(month + 1) })
    expect([await isOpen(first, 1), await isOpen(cookiesAfter(context, begun.cookies), 1)]).toEqual([false, true])
    expect([(await recordsOfUser()).length, context.logged]).toEqual([1, []])
  })

  it.each([
    ["goes on where another one has just ended the session before it, and the store fails to", true, false],
    ["fails where the store is away, and the session before it stays", false, false],
    ["fails in a transaction, which may be undone by that", true, true],
  ])("%s", async (_, isEnded, isInside) => {
    const over = (adapter: Required<Adapter>) => {
      const deleteSession = async (token: string) => {
        if (token !== tokenIn(first)) return adapter.deleteSession(token)
        if (isEnded) await adapter.deleteSession(token)
        throw new Error("Record to delete does not exist.")
      }
      return { deleteSession, transaction: (work: (inside: Adapter) => unknown) => work({ ...adapter, deleteSession }) }
    }
    const { at, first, begin, beginInside, isOpen } = await stage({ over })
    const context = at(first, 1)
    const begun = (isInside ? beginInside : begin)(context).then(({ cookies }) => cookies.length)
    await (isEnded && !isInside
      ? expect(begun).resolves.toBe(1)
      : expect(begun).rejects.toMatchObject({ cause: { operation: "deleteSession" } }))
    expect([await isOpen(first, 1), context.logged]).toEqual([!isEnded, []])
  })

  it("goes on where the one before it cannot be marked, which is logged", async () => {
    const records = memoryRecords()
    const { at, first, begin, recordsOfUser } = await stage({ records })
    vi.spyOn(records, "countRecord").mockRejectedValue(new Error("the store is full"))
    const context = at(first, 1)
    expect((await begin(context)).cookies).toHaveLength(1)
    expect(typesOf(context)).toEqual(["AdapterError"])
    expect(await recordsOfUser()).toHaveLength(1)
  })

  it("goes on where the record of the one before it cannot be removed, which is logged", async () => {
    const records = memoryRecords()
    const { at, first, begin, isOpen } = await stage({ records })
    vi.spyOn(records, "takeRecord").mockRejectedValueOnce(new Error("connection lost"))
    const context = at(first, 1)
    const { cookies } = await begin(context)
    expect(typesOf(context)).toEqual(["AdapterError"])
    expect([await isOpen(first, 1), await isOpen(cookiesAfter(context, cookies), 1)]).toEqual([false, true])
  })

  it("goes on where the oldest cannot be marked, which is logged", async () => {
    const records = memoryRecords()
    const { at, first, begin, isOpen } = await stage({ records, options: { atMost: 1 } })
    vi.spyOn(records, "countRecord").mockRejectedValue(new Error("the store is full"))
    const context = at({}, 1)
    const { cookies } = await begin(context)
    expect(typesOf(context)).toEqual(["AdapterError"])
    expect([await isOpen(first, 1), await isOpen(cookiesAfter(context, cookies), 1)]).toEqual([false, true])
  })

  it("leaves neither row nor record where the one before it cannot be ended", async () => {
    let kept: string | undefined
    const over = (adapter: Required<Adapter>) => ({
      deleteSession(token: string) {
        if (token === kept) throw new Error("others refer to it")
        return adapter.deleteSession(token)
      },
    })
    const { at, first, begin, recordsOfUser, rowsOfUser } = await stage({ over })
    kept = tokenIn(first)
    await expect(begin(at(first, 1))).rejects.toMatchObject({ type: "AdapterError" })
    expect((await recordsOfUser()).map(({ content }) => content.sessionToken)).toEqual([kept])
    expect(await rowsOfUser()).toEqual([kept])
  })

  it.each([{}, null])("fails with the error of the store where that was, managed as %j", async (options) => {
    const over = () => ({ deleteSession: () => Promise.reject(new Error("others refer to it")) })
    const { at, first, begin } = await stage({ over, options })
    const failure = { type: "AdapterError", cause: { operation: "deleteSession" } }
    await expect(begin(at(first, 1))).rejects.toMatchObject(failure)
  })

  it("sets no cookie where it has ended itself, because newer ones began at the same moment", async () => {
    const records = memoryRecords()
    const { at, user, begin, signIn, isOpen } = await stage({ records, options: { atMost: 1 } })
    const { listRecords } = records
    let other: Cookies = {}
    // Both have looked for their place, and the other one has written its record first.
    vi.spyOn(records, "listRecords").mockImplementationOnce(async (...given) => {
      const found = await listRecords(...given)
      other = await signIn(user, { seconds: 2 })
      return found
    })
    const { cookies } = await begin(at({}, 1))
    expect(cookies).toEqual([])
    expect(await isOpen(other, 2)).toBe(true)
  })
})

describe.each([
  ["beside it", {}],
  ["in it", ofAdapter],
])("a sign-in in a transaction, with records %s", { tags: ["threat:SF-08"] }, (where, given) => {
  it("ends the oldest of too many once it is settled", async () => {
    const { at, first, beginInside, isOpen } = await stage({ ...given, options: { atMost: 1 } })
    const context = at({}, 1)
    const { cookies, events, settle } = await beginInside(context)
    expect([cookies.length, events, await isOpen(first, 1)]).toEqual([1, [], true])
    expect((await settle?.())?.cookies).toEqual(cookies)
    expect([await isOpen(first, 1), await isOpen(cookiesAfter(context, cookies), 1)]).toEqual([false, true])
  })

  it("ends once more what was given a new token before it was settled", { tags: ["threat:RC-11"] }, async () => {
    const { at, first, beginInside, isOpen, renewed, recordsOfUser } = await stage(given)
    const renew = await renewed(first)
    const { settle } = await beginInside(at(first, 1))
    const late = await renew()
    expect(await isOpen(late, 1)).toBe(true)
    await settle?.()
    expect([await isOpen(late, 1), (await recordsOfUser()).length]).toEqual([false, 1])
  })

  it("goes on where what was ended cannot be looked for again, which is logged", async () => {
    const records = memoryRecords()
    const { at, adapter, first, beginInside } = await stage({ records, ...given })
    const context = at(first, 1)
    const { cookies, settle } = await beginInside(context)
    const store = where === "in it" ? adapter : records
    vi.spyOn(store, "listRecords").mockRejectedValue(new Error("the store is away"))
    expect((await settle?.())?.cookies).toEqual(cookies)
    expect(typesOf(context)).toEqual(["AdapterError"])
  })

  it("leaves the one before it where it is taken back", async () => {
    const { at, first, beginInside, rowsOfUser, recordsOfUser } = await stage(given)
    const undone = beginInside(at(first, 1), () => {
      throw new Error("undone")
    })
    await expect(undone).rejects.toThrow("undone")
    expect(await rowsOfUser()).toEqual([tokenIn(first)])
    const kept = (await recordsOfUser()).map(({ content }) => content.sessionToken)
    expect(kept.includes(tokenIn(first))).toBe(where === "in it")
  })
})

describe("a sign-in that fails in a transaction", () => {
  it("is taken back by that alone", async () => {
    const over = ({ transaction }: Required<Adapter>) => ({
      transaction: ((work) =>
        transaction((inside) =>
          work({ ...inside, deleteSession: () => Promise.reject(new Error("others refer to it")) }),
        )) as Required<Adapter>["transaction"],
    })
    const { at, first, beginInside, rowsOfUser } = await stage({ ...ofAdapter, over })
    await expect(beginInside(at(first, 1))).rejects.toMatchObject({ type: "AdapterError" })
    expect(await rowsOfUser()).toEqual([tokenIn(first)])
  })
})

describe("an extension of a row whose session is not managed", () => {
  it("asks for its record once: nobody ends it or gives it a new token", async () => {
    const day = 86_400
    const config = { session: { overallMaxAge: 90 * day } }
    const { at, first, records } = await stage({ options: null, config })
    const get = vi.spyOn(records, "getRecord")
    const { session, cookies } = await databaseStrategy.check(at(first, 2 * day))
    expect([session?.expires, cookies.length]).toEqual([later(2 * day + month).toISOString(), 1])
    expect(get).toHaveBeenCalledOnce()
  })
})
