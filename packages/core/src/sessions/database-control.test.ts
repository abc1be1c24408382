import { describe, expect, it, vi } from "vitest"
import { later } from "../../test/support/context.js"
import { type Cookies, type ManagedGiven, managedStage, tokenIn } from "../../test/support/managed-stage.js"
import { account, cookieName } from "../../test/support/signed-in.js"
import { findSession } from "../ledger/session.js"
import { memoryRecords } from "../memory.js"
import type { Adapter } from "../types/adapter.js"
import type { RecordStore } from "../types/records.js"
import type { AdapterSession } from "../types/session.js"
import { actAs, listEntries, selectControl } from "./control.js"
import { accountDigest, accountOfToken, isActingToken } from "./current-session.js"
import { check } from "./database.js"
import { ledgerOf } from "./managed.js"

const day = 86_400
const stage = (given: Omit<ManagedGiven, "strategy"> = {}) => managedStage({ ...given, strategy: "database" })

describe("the list", () => {
  it("leaves out what the application removed itself, and rows that it ended, to the millisecond", async () => {
    const { at, memory, newUser, signIn } = stage()
    const user = await newUser("ada@app.test")
    const [here, removed, ended, soon] = [
      await signIn(user),
      await signIn(user),
      await signIn(user),
      await signIn(user),
    ]
    await memory.deleteSession(tokenIn(removed))
    await memory.updateSession({ sessionToken: tokenIn(ended), expires: later(60) })
    await memory.updateSession({ sessionToken: tokenIn(soon), expires: later(60.001) })
    const found = await listEntries(at(here, 60))
    expect(found.filter(({ current }) => !current)).toHaveLength(1)
    expect(found).toHaveLength(2)
  })

  it("leaves out sessions in tokens from before they were kept in rows, and asks for no row of theirs", async () => {
    const records = memoryRecords()
    const tokens = managedStage({ strategy: "jwt", records })
    const asked = vi.fn()
    const over = (adapter: Required<Adapter>) => ({
      getSessionAndUser(token: string) {
        asked(typeof token)
        return adapter.getSessionAndUser(token)
      },
    })
    const { at, newUser, signIn } = stage({ records, over })
    const user = await newUser("ada@app.test")
    await tokens.signIn(user)
    expect(await listEntries(at(await signIn(user)))).toMatchObject([{ current: true }])
    expect(asked).not.toHaveBeenCalledWith("undefined")
  })
})

describe("a new token", () => {
  it("belongs to the user by the id that the store gave them, and is counted", async () => {
    const created: unknown[] = []
    const over = (adapter: Required<Adapter>) => ({
      getSessionAndUser: async (token: string) => {
        const found = await adapter.getSessionAndUser(token)
        return found && { ...found, session: { ...found.session, userId: 7 } }
      },
      createSession: (row: AdapterSession) => {
        created.push(row.userId)
        return adapter.createSession({ ...row, userId: "7" })
      },
    })
    const { at, memory, signIn, rotate } = stage({ over })
    const user = await memory.createUser({ id: "7", email: "ada@app.test", emailVerified: null })
    const after = await rotate((await rotate(await signIn(user))) ?? {})
    expect(created).toEqual(["7", 7, 7])
    expect(await findSession(ledgerOf(at()), tokenIn(after ?? {}))).toMatchObject({
      userId: "7",
      content: { generation: 2 },
    })
  })

  it("of somebody who acts for the user says so as well", { tags: ["threat:SF-26"] }, async () => {
    const { at, newUser, signIn, rotate } = stage()
    const user = await newUser("ada@app.test")
    const support = await signIn(await newUser("support@app.test"))
    const { cookies } = await actAs(at(support), user.id)
    const acting = { [cookieName]: cookies.map((one) => ("value" in one ? one.value : "")).join("") }
    expect(isActingToken(tokenIn((await rotate(acting)) ?? {}))).toBe(true)
  })

  it("of a session that began at an unproven address still names the account it began with", async () => {
    const { newUser, signIn, rotate } = stage()
    const unprovenAccount = await accountDigest(account)
    const cookies = await signIn(await newUser("ada@app.test"), { login: { unprovenAccount } })
    expect(accountOfToken(tokenIn((await rotate(cookies)) ?? {}))).toBe(unprovenAccount)
  })

  it.each([[""], [undefined], [7], ["x".repeat(4097)], ["a\nb"]])(
    "is not the generated %j, and the session goes on with the one it has",
    async (made) => {
      const generate = vi.fn<() => string>().mockReturnValueOnce("first")
      const { newUser, signIn, rotate, isOpen } = stage({ config: { session: { generateSessionToken: generate } } })
      const cookies = await signIn(await newUser("ada@app.test"))
      generate.mockReturnValueOnce(made as string)
      await expect(rotate(cookies)).rejects.toMatchObject({ type: "InvalidConfiguration" })
      expect(await isOpen(cookies)).toBe(true)
    },
  )

  it("is never the one before it", async () => {
    const generateSessionToken = () => "the same"
    const { newUser, signIn, rotate, isOpen } = stage({ config: { session: { generateSessionToken } } })
    const cookies = await signIn(await newUser("ada@app.test"))
    await expect(rotate(cookies)).rejects.toMatchObject({ type: "SessionTokenError" })
    expect(await isOpen(cookies)).toBe(true)
  })

  it("is given although another request extends the session in the same moment", async () => {
    let extend: (() => Promise<unknown>) | undefined
    const over = (adapter: Required<Adapter>) => ({
      async createSession(row: AdapterSession) {
        await extend?.()
        return adapter.createSession(row)
      },
    })
    const { at, newUser, signIn, rotate, isOpen } = stage({ over, config: { session: { updateAge: 0 } } })
    const cookies: Cookies = await signIn(await newUser("ada@app.test"))
    extend = () => check(at(cookies, 60))
    const after = await rotate(cookies, 60)
    expect(after).not.toBeNull()
    expect(await isOpen(after ?? {}, 91)).toBe(true)
    expect(await isOpen(cookies, 91)).toBe(false)
  })

  it.each([
    ["before", () => Promise.resolve()],
    ["after", (shorten: () => Promise<unknown>) => shorten()],
  ])("is taken back where the store fails %s it has shortened the row of the one before", async (_, first) => {
    let isFailing = true
    const over = (adapter: Required<Adapter>) => ({
      async updateSession(row: AdapterSession) {
        if (!isFailing) return adapter.updateSession(row)
        isFailing = false
        await first(async () => adapter.updateSession(row))
        throw new Error("the store is away")
      },
    })
    const { at, newUser, signIn, rotate, isOpen } = stage({ over })
    const cookies = await signIn(await newUser("ada@app.test"))
    await expect(rotate(cookies)).rejects.toMatchObject({ type: "AdapterError" })
    expect(await isOpen(cookies, 91)).toBe(true)
    expect(await listEntries(at(cookies, 91))).toHaveLength(1)
    const after = await rotate(cookies, 91)
    expect(await isOpen(after ?? {}, 183)).toBe(true)
    expect(await isOpen(cookies, 183)).toBe(false)
  })

  type Fault = (given: { readonly records: RecordStore; readonly lose: () => void }) => unknown
  it.each<[string, Fault]>([
    ["its row was written and the answer lost", ({ lose }) => lose()],
    [
      "nobody says whether the session has ended",
      ({ records }) => vi.spyOn(records, "countRecord").mockRejectedValueOnce(new Error("connection lost")),
    ],
    [
      "the record of the one before it takes no mark",
      ({ records: { ...real }, records }) =>
        vi
          .spyOn(records, "putRecord")
          .mockImplementationOnce(real.putRecord)
          .mockRejectedValueOnce(new Error("connection lost")),
    ],
    [
      "that mark was written and the answer lost",
      ({ records: { ...real }, records }) =>
        vi
          .spyOn(records, "putRecord")
          .mockImplementationOnce(real.putRecord)
          .mockImplementationOnce(async (...given) => {
            await real.putRecord(...given)
            throw new Error("connection lost")
          }),
    ],
  ])("is taken back where %s: the session goes on as one, with the token before it", async (_, fault) => {
    let isLost = false
    const over = (adapter: Required<Adapter>) => ({
      async createSession(row: AdapterSession) {
        const made = await adapter.createSession(row)
        if (!isLost) return made
        isLost = false
        throw new Error("connection lost")
      },
    })
    const { at, memory, records, newUser, signIn, rotate, isOpen } = stage({ over, options: { atMost: 2 } })
    const user = await newUser("ada@app.test")
    const cookies = await signIn(user)
    const lose = () => {
      isLost = true
    }
    fault({ records, lose })
    await expect(rotate(cookies, 60)).rejects.toMatchObject({ type: "AdapterError" })
    expect(await listEntries(at(cookies, 91))).toMatchObject([{ current: true }])
    expect(await memory.listSessionsByUserId(user.id)).toMatchObject([{ sessionToken: tokenIn(cookies) }])
    const other = await signIn(user, { seconds: 130 })
    expect([await isOpen(cookies, 131), await isOpen(other, 131)]).toEqual([true, true])
    expect(await isOpen(cookies, 2 * day)).toBe(true)
  })

  it("that fails where another request was first takes nothing back of the other's", {
    tags: ["threat:RC-12"],
  }, async () => {
    const { records, newUser, signIn, rotate, isOpen } = stage()
    const cookies = await signIn(await newUser("ada@app.test"))
    const { putRecord } = records
    let after: Cookies | null = null
    vi.spyOn(records, "putRecord")
      .mockImplementationOnce(putRecord)
      .mockImplementationOnce(async () => {
        after = await rotate(cookies, 60)
        throw new Error("connection lost")
      })
    await expect(rotate(cookies, 60)).rejects.toMatchObject({ type: "AdapterError" })
    expect([await isOpen(cookies, 91), await isOpen(after ?? {}, 91)]).toEqual([false, true])
  })

  it("that was taken back lets nobody in whose session ended meanwhile", async () => {
    const over = () => ({
      async updateSession(): Promise<never> {
        await selectControl(at()).endAll(at(), "ada")
        throw new Error("the store is away")
      },
    })
    const { at, memory, signIn, rotate, isOpen } = stage({ over })
    const user = await memory.createUser({ id: "ada", email: "ada@app.test", emailVerified: null })
    const cookies = await signIn(user)
    await expect(rotate(cookies)).rejects.toMatchObject({ type: "AdapterError" })
    expect(await isOpen(cookies)).toBe(false)
    expect(await memory.listSessionsByUserId(user.id)).toEqual([])
  })

  it("is none where the store takes no record, though nobody has changed it", async () => {
    const { records, newUser, signIn, rotate, isOpen } = stage()
    const { putRecord } = records
    const cookies = await signIn(await newUser("ada@app.test"))
    // The record of the new token is taken, and the mark on the one before it is not.
    vi.spyOn(records, "putRecord").mockImplementationOnce(putRecord).mockResolvedValueOnce(false)
    expect(await rotate(cookies)).toBeNull()
    expect(await isOpen(cookies)).toBe(true)
  })
})

it("all sessions of a user end one by one where the store takes no mark, and the error says that", {
  tags: ["threat:SF-08"],
}, async () => {
  const { at, records, newUser, signIn, isOpen } = stage({ over: () => ({ deleteSessionsByUserId: undefined }) })
  const user = await newUser("ada@app.test")
  const [one, other] = [await signIn(user), await signIn(user)]
  vi.spyOn(records, "countRecord").mockRejectedValue(new Error("the store is full"))
  await expect(selectControl(at()).endAll(at(), user.id)).rejects.toMatchObject({ type: "AdapterError" })
  expect([await isOpen(one), await isOpen(other)]).toEqual([false, false])
})

describe("rows that no record names", () => {
  it.each<[string, object, boolean, boolean]>([
    ["go at once in a transaction, and those that a record names stay", {}, false, false],
    ["stay without a transaction, where every record opens", { transaction: undefined }, false, true],
    ["go without a transaction as well, where a record does not open", { transaction: undefined }, true, false],
    ["stay where the adapter cannot end them all at once", { deleteSessionsByUserId: undefined }, true, true],
  ])("%s", async (_, over, isUnopened, isLeft) => {
    const { at, memory, records, newUser, signIn, isOpen } = stage({ over: () => over })
    const user = await newUser("ada@app.test")
    const [here, other] = [await signIn(user), await signIn(user)]
    await memory.createSession({ sessionToken: "of nobody's record", userId: user.id, expires: later(3600) })
    if (isUnopened) {
      const { key } = (await findSession(ledgerOf(at()), tokenIn(other))) ?? { key: "" }
      const row = await records.getRecord({ kind: "session", key })
      if (!row) throw new Error("there is no record")
      await records.putRecord({ ...row, value: "of another secret" }, { expected: row.version, now: at().now })
    }
    await selectControl(at()).endUnknown(at(here), user.id)
    expect((await memory.getSessionAndUser("of nobody's record")) !== null).toBe(isLeft)
    expect(await isOpen(here)).toBe(true)
  })

  it.each<[string, (adapter: Required<Adapter>) => object, number, boolean]>([
    ["where the adapter can list them", () => ({}), 0, true],
    [
      "under another token than they have, as where tokens are hashed",
      (adapter) => ({
        listSessionsByUserId: async (id: string) =>
          (await adapter.listSessionsByUserId(id)).map((row) => ({ ...row, sessionToken: "hashed" })),
      }),
      0,
      true,
    ],
    [
      "beside one that has ended",
      (adapter) => ({
        listSessionsByUserId: async (id: string) => [
          ...(await adapter.listSessionsByUserId(id)),
          { sessionToken: "ended", userId: id, expires: later(0) },
        ],
      }),
      0,
      true,
    ],
    ["where the adapter cannot list them", () => ({ listSessionsByUserId: undefined }), 1, true],
  ])("are none where each has a record, and none is removed and written again: %s", async (_, over, calls, stays) => {
    const deleteAll = vi.fn()
    const counted = (adapter: Required<Adapter>) => ({
      ...adapter,
      deleteSessionsByUserId(id: string) {
        deleteAll()
        return adapter.deleteSessionsByUserId(id)
      },
      ...over(adapter),
    })
    const { at, newUser, signIn, isOpen } = stage({
      over: (adapter) => ({
        ...counted(adapter),
        transaction: (work: (inside: Adapter) => Promise<unknown>) =>
          adapter.transaction((inside) => work(counted(inside as Required<Adapter>))),
      }),
    })
    const user = await newUser("ada@app.test")
    const [here, there] = [await signIn(user), await signIn(user)]
    await selectControl(at()).endUnknown(at(here), user.id)
    expect(deleteAll).toHaveBeenCalledTimes(calls)
    expect([await isOpen(here), await isOpen(there)]).toEqual([stays, stays])
  })

  it("are found without asking for rows of sessions in tokens", async () => {
    const records = memoryRecords()
    const asked = vi.fn()
    const over = (adapter: Required<Adapter>) => ({
      ...adapter,
      getSessionAndUser(token: string) {
        asked(typeof token)
        return adapter.getSessionAndUser(token)
      },
    })
    const tokens = managedStage({ strategy: "jwt", records })
    const { at, newUser, signIn, isOpen } = stage({
      records,
      over: (adapter) => ({
        transaction: (work: (inside: Adapter) => Promise<unknown>) =>
          adapter.transaction((inside) => work(over(inside as Required<Adapter>))),
      }),
    })
    const user = await newUser("ada@app.test")
    await tokens.signIn(user)
    const here = await signIn(user)
    await selectControl(at()).endUnknown(at(here), user.id)
    expect(asked).toHaveBeenCalledWith("string")
    expect(asked).not.toHaveBeenCalledWith("undefined")
    expect(await isOpen(here)).toBe(true)
  })
})
