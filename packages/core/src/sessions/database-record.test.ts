import { describe, expect, it, vi } from "vitest"
import { later } from "../../test/support/context.js"
import { managedStage, tokenIn } from "../../test/support/managed-stage.js"
import { month } from "../../test/support/signed-in.js"
import { findSession, keyOfToken, listSessions, takeSession, writeSession } from "../ledger/session.js"
import { memoryRecords } from "../memory.js"
import type { Adapter } from "../types/adapter.js"
import { endRow } from "./database-managed.js"
import { endEarlierRows, extendRow, keepExtension, recordOfRow } from "./database-record.js"
import { endWhole, ledgerOf } from "./managed.js"

const day = 86_400

describe("a row from before sessions were managed", { tags: ["threat:SF-08"] }, () => {
  /** Such a row, of whose record nothing is written yet. */
  async function earlier(over?: (adapter: Required<Adapter>) => object) {
    const records = memoryRecords()
    const whole = managedStage({ strategy: "database", records, ...(over && { over }) })
    const user = await whole.newUser("ada@app.test")
    const cookies = await whole.signIn(user, {}, null)
    const row = { sessionToken: tokenIn(cookies), userId: user.id, expires: later(month) }
    const { putRecord } = records
    /** What happens once the record is written; says whether this request wrote it. */
    const afterRecord = (step: () => Promise<boolean>): void => {
      vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
        await putRecord(...given)
        return step()
      })
    }
    const found = () => findSession(ledgerOf(whole.at()), row.sessionToken)
    return { ...whole, records, user, cookies, row, afterRecord, found }
  }

  it("gets a record until two seconds before its end: a table may have rounded that", async () => {
    const { at, row, found } = await earlier()
    expect(await recordOfRow(at({}, month - 2), row)).toBeNull()
    expect(await found()).toBeNull()
    expect(await recordOfRow(at({}, month - 2.001), row)).toMatchObject({ expires: later(month) })
  })

  it("gets none where all of those have ended, and nothing is written for it", async () => {
    const { at, records, row, user } = await earlier()
    await endEarlierRows(at(), user.id)
    const put = vi.spyOn(records, "putRecord")
    expect(await recordOfRow(at(), row)).toBeNull()
    expect(put).not.toHaveBeenCalled()
  })

  it("gets none where nobody can say whether it is there still, and the failure is that of the store", async () => {
    let isAway = false
    const { at, records, row, afterRecord, found } = await earlier((adapter) => ({
      async getSessionAndUser(token: string) {
        if (isAway) throw new Error("connection lost")
        return adapter.getSessionAndUser(token)
      },
    }))
    const lost = async () => {
      isAway = true
      return true
    }
    afterRecord(lost)
    const failure = { type: "AdapterError", cause: { operation: "getSessionAndUser" } }
    await expect(recordOfRow(at(), row)).rejects.toMatchObject(failure)
    expect(await found()).toBeNull()
    afterRecord(lost)
    vi.spyOn(records, "takeRecord").mockRejectedValueOnce(new Error("away as well"))
    await expect(recordOfRow(at(), row)).rejects.toMatchObject(failure)
  })

  it("keeps the record of another request where that cannot be read", async () => {
    const { at, records, row, afterRecord, found } = await earlier()
    afterRecord(async () => {
      vi.spyOn(records, "getRecord").mockRejectedValueOnce(new Error("connection lost"))
      return false
    })
    await expect(recordOfRow(at(), row)).rejects.toMatchObject({ type: "AdapterError" })
    expect(await found()).not.toBeNull()
  })

  it("gets one once more where another request has taken back the one it had made", async () => {
    const { at, records, row, user, afterRecord, found } = await earlier()
    const takenBack = async () => {
      await records.deleteRecords(user.id, { kind: "session" })
      return false
    }
    afterRecord(takenBack)
    expect(await recordOfRow(at(), row)).toMatchObject({ userId: user.id, expires: later(month) })
    await records.deleteRecords(user.id, { kind: "session" })
    afterRecord(takenBack)
    afterRecord(takenBack)
    expect(await recordOfRow(at(), row)).toBeNull()
    expect(await found()).toBeNull()
  })

  it("has ended where row and record are gone once the record was written", { tags: ["threat:RC-11"] }, async () => {
    const { at, records, memory, row, user, afterRecord } = await earlier()
    afterRecord(async () => {
      await memory.deleteSession(row.sessionToken)
      await records.deleteRecords(user.id, { kind: "session" })
      return true
    })
    expect(await recordOfRow(at(), row)).toBeNull()
    expect(await listSessions(ledgerOf(at()), user.id)).toEqual([])
  })

  it("has ended in the same moment where no mark is taken, which is logged", { tags: ["threat:RC-11"] }, async () => {
    const { at, records, memory, row, user, afterRecord } = await earlier()
    vi.spyOn(records, "countRecord").mockRejectedValue(new Error("the store is full"))
    afterRecord(async () => {
      await memory.deleteSession(row.sessionToken)
      return true
    })
    const context = at()
    expect(await recordOfRow(context, row)).toBeNull()
    expect(context.logged).toMatchObject([{ type: "AdapterError" }])
    expect(await listSessions(ledgerOf(at()), user.id)).toEqual([])
  })
})

describe("the extension of a row", () => {
  async function begun() {
    const whole = managedStage({ strategy: "database" })
    const user = await whole.newUser("ada@app.test")
    const cookies = await whole.signIn(user)
    const row = { sessionToken: tokenIn(cookies), userId: user.id, expires: later(month) }
    const record = await findSession(ledgerOf(whole.at()), row.sessionToken)
    if (!record) throw new Error("there is no record")
    const replace = () => {
      const content = { ...record.content, isReplaced: true as const }
      return writeSession(ledgerOf(whole.at()), { ...record, content, expires: later(day + 30) })
    }
    const keep = (key = record.key, seconds = day) =>
      keepExtension(whole.at({}, seconds), { row, record: { ...record, key } })
    const rowNow = async () => (await whole.memory.getSessionAndUser(row.sessionToken))?.session
    return { ...whole, row, record, replace, keep, rowNow }
  }

  it("is that of its record", async () => {
    const { at, row, record } = await begun()
    const until = later(day + month)
    const extended = { kind: "until", until, record: { key: record.key } }
    expect(await extendRow(at({}, day), row)).toMatchObject(extended)
  })

  it("is kept where the record is there, also under another key, because it was sealed anew", async () => {
    const { at, row, record, keep } = await begun()
    expect(record.key).toBe(await keyOfToken(ledgerOf(at()), row.sessionToken))
    for (const key of [record.key, "made-with-an-earlier-secret"]) expect(await keep(key)).toBe("until")
  })

  it("is taken back where the row got another token, and the row ends as it was to end then", async () => {
    const { replace, keep, rowNow } = await begun()
    await replace()
    expect(await keep()).toBe("stays")
    expect(await rowNow()).toMatchObject({ expires: later(day + 30) })
  })

  it("is kept where a request that failed has taken the record back, and there is one until the new end", async () => {
    const { at, memory, row, record, keep } = await begun()
    const until = later(day + month)
    await memory.updateSession({ sessionToken: row.sessionToken, expires: until })
    await takeSession(ledgerOf(at()), record.key)
    expect(await keep()).toBe("until")
    expect(await findSession(ledgerOf(at()), row.sessionToken)).toMatchObject({ expires: until })
  })

  it("is none where the session has ended", async () => {
    const { at, row, record, keep } = await begun()
    await endWhole(at(), { ledger: ledgerOf(at()), named: [record], end: (one) => endRow(at(), one) })
    expect(await keep()).toBe("ended")
    expect(await extendRow(at({}, 2 * month), row)).toEqual({ kind: "ended" })
  })
})
