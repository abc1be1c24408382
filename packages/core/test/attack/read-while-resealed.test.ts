/** Records that are sealed anew beside a running application: whoever reads between two steps sees neither a session that has ended nor one less. */
import { expect, it, vi } from "vitest"
import { walkSeals } from "../../src/ledger/reseal.js"
import { openRecord, sealRecord } from "../../src/ledger/seal.js"
import { memoryRecords } from "../../src/memory.js"
import { actAs, endOthers } from "../../src/sessions/control.js"
import { ledgerOf } from "../../src/sessions/managed.js"
import { cookiesAfter } from "../support/context.js"
import { managedStage, type strategies } from "../support/managed-stage.js"

const [old, fresh] = ["old-secret-of-at-least-32-characters", "new-secret-of-at-least-32-characters"]

/** An application before and after a new secret was put in front. */
function stage(strategy: (typeof strategies)[number]) {
  const records = memoryRecords()
  // Without these, sessions of a database end by the same record as those in cookies.
  const slow = { deleteSessionsByUserId: undefined, transaction: undefined }
  const before = managedStage({ strategy, records, config: { secret: old }, over: () => slow })
  const over = () => ({ ...before.memory, ...slow })
  const after = managedStage({ strategy, records, config: { secret: [fresh, old] }, over })
  /** Seals everything anew as soon as a record of this kind was looked for, and answers how often. */
  const resealOnce = (kind: string, isDue: (found: unknown) => boolean): (() => number) => {
    const { getRecord } = records
    let count = 0
    vi.spyOn(records, "getRecord").mockImplementation(async (name) => {
      const found = await getRecord(name)
      if (name.kind !== kind || !isDue(found) || count > 0) return found
      count += 1
      await walkSeals({ ...ledgerOf(after.at({}, 5)), kinds: [], isWriting: true, onProgress: () => {} })
      return found
    })
    return () => count
  }
  /** Makes the end of all sessions of a user that of an earlier version, which names the user. */
  const namesOf = async (userId: string): Promise<void> => {
    const ledger = ledgerOf(before.at({}, 5))
    const [row] = await records.scanRecords("epoch", { limit: 1 })
    if (!row) throw new Error("it was written")
    const { name, ...content } = await openRecord(row, ledger)
    const named = await sealRecord({ ...row, userId, content, replaces: row }, ledger)
    await records.putRecord(named, { expected: row.version, now: ledger.now })
  }
  return { before, after, resealOnce, namesOf }
}

it("a session of somebody who acts for a user goes on", { tags: ["threat:SF-19"] }, async () => {
  const { before, after, resealOnce } = stage("database")
  const own = await before.signIn(await before.newUser("admin@app.test"))
  const context = before.at(own, 1)
  const user = await before.newUser("ada@app.test")
  const acting = cookiesAfter(context, (await actAs(context, user.id)).cookies)
  const resealed = resealOnce("session", (found) => !found)
  expect(await after.isOpen(acting, 6)).toBe(true)
  expect(resealed()).toBe(1)
  expect(await after.isOpen(acting, 7)).toBe(true)
})

it.each(["this version", "an earlier version"])(
  "a session from before that %s ended with all others opens for nobody, not even once",
  {
    tags: ["threat:SF-08", "threat:SF-19"],
  },
  async (version) => {
    const { before, after, resealOnce, namesOf } = stage("jwt")
    const user = await before.newUser("ada@app.test")
    const thief = await before.signIn(user, {}, null)
    await endOthers(before.at(await before.signIn(user, { seconds: 1 }), 5))
    if (version !== "this version") await namesOf(user.id)
    const resealed = resealOnce("epoch", (found) => !found)
    expect(await after.isOpen(thief, 10)).toBe(false)
    expect(resealed()).toBe(1)
  },
)

it("a session from before that another instance ended opens for nobody, though an earlier end was written here", {
  tags: ["threat:SF-08", "threat:SF-19"],
}, async () => {
  const { before, after, resealOnce } = stage("jwt")
  const user = await before.newUser("ada@app.test")
  const end = async (there: typeof before, seconds: number) =>
    endOthers(there.at(await there.signIn(user, { seconds }), seconds + 1))
  await end(after, 1)
  const thief = await before.signIn(user, { seconds: 10 }, null)
  await end(before, 20)
  expect(await after.isOpen(thief, 30)).toBe(false)
  const resealed = resealOnce("epoch", (found) => found !== null)
  expect(await after.isOpen(thief, 30)).toBe(false)
  expect(resealed()).toBe(1)
  expect(await after.isOpen(thief, 40)).toBe(false)
})
