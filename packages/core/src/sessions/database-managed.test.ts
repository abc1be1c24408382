import { describe, expect, it, vi } from "vitest"
import { cookiesAfter, later } from "../../test/support/context.js"
import { type Cookies, type ManagedGiven, managedStage, tokenIn } from "../../test/support/managed-stage.js"
import { month } from "../../test/support/signed-in.js"
import { findSession, listSessions } from "../ledger/session.js"
import { memoryRecords } from "../memory.js"
import type { Adapter } from "../types/adapter.js"
import type { AdapterSession } from "../types/session.js"
import { listEntries } from "./control.js"
import { begin, check, end } from "./database.js"
import { endEarlierRows, recordOfRow } from "./database-record.js"
import { ledgerOf } from "./managed.js"

const day = 86_400

const stage = (given: Omit<ManagedGiven, "strategy"> = {}) => managedStage({ ...given, strategy: "database" })

/** Some stores fail to delete a row that is not there. */
const strict = (adapter: Required<Adapter>) => ({
  async deleteSession(token: string) {
    if (!(await adapter.getSessionAndUser(token))) throw new Error("there is no such row")
    return adapter.deleteSession(token)
  },
})

describe("a sign-in", () => {
  it("ends the oldest session of too many, and counts none whose row the application removed itself", async () => {
    const { memory, newUser, signIn, isOpen } = stage({ options: { atMost: 2 }, over: strict })
    const user = await newUser("ada@app.test")
    const [first, removed] = [await signIn(user), await signIn(user, { seconds: 1 })]
    await memory.deleteSession(tokenIn(removed))
    const third = await signIn(user, { seconds: 2 })
    expect([await isOpen(first, 2), await isOpen(third, 2)]).toEqual([true, true])
    const fourth = await signIn(user, { seconds: 3 })
    expect([await isOpen(first, 3), await isOpen(third, 3), await isOpen(fourth, 3)]).toEqual([false, true, true])
  })

  it.each([
    ["without transactions", { transaction: undefined }],
    ["with its row in a transaction, and records elsewhere", {}],
  ])("that fails leaves no record, %s", async (_, kind) => {
    let isAway = false
    const failing = (adapter: Required<Adapter>): Adapter => ({
      ...adapter,
      createSession: (row) => (isAway ? Promise.reject(new Error("away")) : adapter.createSession(row)),
    })
    const over = (adapter: Required<Adapter>) => ({
      ...failing(adapter),
      transaction: (work: (inside: Adapter) => Promise<unknown>) =>
        adapter.transaction((inside) => work(failing(inside as Required<Adapter>))),
      ...kind,
    })
    const records = memoryRecords()
    const { at, newUser, signIn, isOpen } = stage({ records, options: { atMost: 2 }, over })
    const user = await newUser("ada@app.test")
    const first = await signIn(user)
    isAway = true
    await expect(signIn(user, { seconds: 1 })).rejects.toMatchObject({ type: "AdapterError" })
    expect(await listSessions(ledgerOf(at()), user.id)).toHaveLength(1)
    isAway = false
    await signIn(user, { seconds: 2 })
    expect(await isOpen(first, 2)).toBe(true)
  })

  it("ends the oldest session of too many, also one in a token from before sessions were kept in rows", async () => {
    const records = memoryRecords()
    const tokens = managedStage({ strategy: "jwt", records })
    const getSessionAndUser = vi.fn()
    const { at, newUser, signIn } = stage({ records, options: { atMost: 1 }, over: () => ({ getSessionAndUser }) })
    const user = await newUser("ada@app.test")
    await tokens.signIn(user)
    const after = await signIn(user, { seconds: 1 })
    const kept = await listSessions(ledgerOf(at()), user.id)
    expect(kept.map(({ content }) => content.sessionToken)).toEqual([tokenIn(after)])
    expect(getSessionAndUser).not.toHaveBeenCalled()
  })
})

describe("a sign-out", { tags: ["threat:SF-08"] }, () => {
  const signOut = async (context: Parameters<typeof end>[0]) => {
    const { cookies, events, failure } = await end(context)
    expect([cookiesAfter(context, cookies), failure]).toEqual([{}, undefined])
    return events
  }

  it("ends a session with every token that is believed, and no other session of its user", async () => {
    const { at, newUser, signIn, isOpen, rotate } = stage()
    const user = await newUser("ada@app.test")
    const [before, other] = [await signIn(user), await signIn(user)]
    const after: Cookies = (await rotate(before)) ?? {}
    await signOut(at(after))
    expect([await isOpen(before), await isOpen(after), await isOpen(other)]).toEqual([false, false, true])
  })

  it("ends a session with the token that another request gives it in the same moment", {
    tags: ["threat:RC-11"],
  }, async () => {
    const records = memoryRecords()
    let proceed = (): void => {}
    const rowsMayBeWritten = new Promise<void>((resolve) => {
      proceed = resolve
    })
    let isHeld = false
    const over = (adapter: Required<Adapter>) => ({
      async createSession(row: AdapterSession) {
        if (isHeld) await rowsMayBeWritten
        return adapter.createSession(row)
      },
    })
    const { at, newUser, signIn, isOpen, rotate } = stage({ records, over })
    const before = await signIn(await newUser("ada@app.test"))
    isHeld = true
    const rotation = rotate(before)
    const { countRecord } = records
    // The sign-out has read the record. Before it leaves its mark, the other request has marked the record as replaced.
    vi.spyOn(records, "countRecord").mockImplementationOnce(async (...given) => {
      proceed()
      await rotation
      return countRecord(...given)
    })
    await signOut(at(before))
    const after = await rotation
    expect(after).not.toBeNull()
    expect(await isOpen(after ?? {})).toBe(false)
  })

  it("from a row without a record ends that, and the application hears of it", async () => {
    const { at, newUser, signIn, isOpen } = stage()
    const cookies = await signIn(await newUser("ada@app.test"), {}, null)
    expect(await signOut(at(cookies))).toMatchObject([
      { kind: "signOut", message: { session: { sessionToken: tokenIn(cookies) } } },
    ])
    expect(await isOpen(cookies)).toBe(false)
  })
})

describe("an extension", () => {
  const session = { overallMaxAge: 10 * day, maxAge: 7 * day, updateAge: 0 }
  const config = { session }

  it("moves the end of the session and says when it was seen", async () => {
    const { at, newUser, signIn } = stage({ config })
    const cookies = await signIn(await newUser("ada@app.test"))
    const checked = await check(at(cookies, day))
    expect(checked.session?.expires).toBe(later(8 * day).toISOString())
    expect(await listEntries(at(cookies, day))).toMatchObject([
      { startedAt: later(0), seenAt: later(day), expires: later(8 * day) },
    ])
  })

  it("writes nothing any more once the session is as long as it may be", async () => {
    const { at, records, newUser, signIn } = stage({ config })
    const cookies = await signIn(await newUser("ada@app.test"))
    await check(at(cookies, 5 * day))
    const putRecord = vi.spyOn(records, "putRecord")
    const { session: shown, cookies: changes } = await check(at(cookies, 6 * day))
    expect([shown?.expires, changes]).toEqual([later(10 * day).toISOString(), []])
    expect(putRecord).not.toHaveBeenCalled()
  })

  it("is none at the end that is configured now, to the second", { tags: ["threat:V7-09"] }, async () => {
    const given = { ...config, session: { ...session, overallMaxAge: 2 * day } }
    const long = stage({ config })
    const short = stage({ config: given, records: long.records, over: () => long.adapter })
    const cookies = await long.signIn(await long.newUser("ada@app.test"))
    expect(await short.isOpen(cookies, 2 * day - 1)).toBe(true)
    expect(await short.isOpen(cookies, 2 * day)).toBe(false)
  })

  it("by another request in the same moment is enough: both are signed in", async () => {
    const { at, newUser, signIn } = stage({ config })
    const cookies = await signIn(await newUser("ada@app.test"))
    const both = await Promise.all([check(at(cookies, day)), check(at(cookies, day))])
    expect(both.map(({ session: shown }) => shown !== null)).toEqual([true, true])
    expect(both.flatMap((one) => one.cookies)).toHaveLength(1)
  })
})

describe("a session that goes on from another one", { tags: ["threat:SF-08"] }, () => {
  it("is over, and has no row, where somebody ended it by its record before the row could be seen", async () => {
    const { at, memory, records, newUser, signIn } = stage()
    const user = await newUser("ada@app.test")
    const context = at(await signIn(user), 1)
    const { takeRecord } = records
    vi.spyOn(records, "takeRecord").mockImplementationOnce(async (...given) => {
      const taken = await takeRecord(...given)
      for (const { key } of await listSessions(ledgerOf(at()), user.id)) await takeRecord({ kind: "session", key })
      return taken
    })
    const account = { provider: "op", type: "oidc", providerAccountId: "2" } as const
    const login = { user, account, isNew: false, addsAccount: true } as const
    expect(await begin(context, login, context.settings.store)).toMatchObject({ cookies: [], isOver: true })
    expect(await memory.listSessionsByUserId(user.id)).toEqual([])
  })
})

describe("a row from before sessions were managed", { tags: ["threat:SF-08"] }, () => {
  /** Such a row, and its record as a request makes it. */
  async function earlier(records = memoryRecords()) {
    const whole = stage({ records })
    const user = await whole.newUser("ada@app.test")
    const cookies = await whole.signIn(user, {}, null)
    const row = { sessionToken: tokenIn(cookies), userId: user.id, expires: later(month) }
    return { ...whole, user, cookies, row }
  }

  it("has ended with all of those that were last extended until then, to the second", async () => {
    const { at, row, user } = await earlier()
    await endEarlierRows(at({}, 0), user.id)
    expect(await recordOfRow(at(), row)).toBeNull()
    const next = { ...row, expires: later(month + 1) }
    expect(await recordOfRow(at(), next)).toMatchObject({
      userId: user.id,
      content: { sessionToken: row.sessionToken },
    })
  })

  it("gets no record where all of those are ended in the same moment", { tags: ["threat:RC-11"] }, async () => {
    const { at, records, row, user } = await earlier()
    const { putRecord } = records
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      await endEarlierRows(at(), user.id)
      return putRecord(...given)
    })
    expect(await recordOfRow(at(), row)).toBeNull()
    expect(await findSession(ledgerOf(at()), row.sessionToken)).toBeNull()
  })
})
