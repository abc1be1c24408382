/** Whoever has copied a session's token renews it again and again while the session is ended: it ends all the same. */
import { describe, expect, it, vi } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { listSessions } from "../../src/ledger/session.js"
import { memoryAdapter, memoryRecords } from "../../src/memory.js"
import { endOne, endOthers } from "../../src/sessions/control.js"
import { ledgerOf } from "../../src/sessions/managed.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { Adapter } from "../../src/types/adapter.js"
import { sessionCookie } from "../support/journeys.js"
import { type Cookies, type ManagedGiven, managedStage, tokenIn } from "../support/managed-stage.js"
import { makeWorld } from "../support/world.js"

const sourceOf = (token: string) => ({ url: "https://app.test/", headers: { cookie: `${sessionCookie}=${token}` } })

const database = (given: Omit<ManagedGiven, "strategy">) => managedStage({ ...given, strategy: "database" })

/** A user with two sessions. The thief of one asks for a new token before each row is removed, and before each mark is written. */
async function chase(options?: ManagedGiven["options"]) {
  const records = memoryRecords()
  let [token, isBusy]: [Cookies | undefined, boolean] = [undefined, false]
  const renew = async (): Promise<void> => {
    if (!token || isBusy) return
    isBusy = true
    token = (await stage.rotate(token)) ?? token
    isBusy = false
  }
  const { countRecord } = records
  vi.spyOn(records, "countRecord").mockImplementation(async (key, given) => {
    if (given.add > 0) await renew()
    return countRecord(key, given)
  })
  const over = (adapter: Required<Adapter>) => ({
    async deleteSession(sessionToken: string) {
      await renew()
      return adapter.deleteSession(sessionToken)
    },
  })
  const stage = database({ records, over, ...(options && { options }) })
  const user = await stage.newUser("ada@app.test")
  const [stolen, own] = [await stage.signIn(user), await stage.signIn(user, { seconds: 1 })]
  token = stolen
  const isOver = async (): Promise<boolean> => !(await stage.isOpen(stolen)) && !(await stage.isOpen(token ?? {}))
  return { ...stage, user, stolen, own, isOver, thief: () => token ?? {} }
}

type Chased = Awaited<ReturnType<typeof chase>>

const ways: readonly (readonly [string, (given: Chased) => Promise<unknown>])[] = [
  ["a sign-out", ({ at, stolen }) => selectStrategy(at(stolen).settings).end(at(stolen))],
  ["its end by name", async ({ at, own, idOf, stolen }) => endOne(at(own), await idOf(stolen))],
  ["its own end by name", async ({ at, idOf, stolen }) => endOne(at(stolen), await idOf(stolen))],
  ["the end of all others", ({ at, own }) => endOthers(at(own))],
  ["another sign-in in its place", ({ signIn, user, stolen }) => signIn(user, { cookies: stolen, seconds: 2 })],
]

describe("a copied token that is renewed without a pause", { tags: ["threat:SF-08", "threat:RC-11"] }, () => {
  it.each(ways)("opens nothing after %s", async (_, end) => {
    const chased = await chase()
    await end(chased)
    expect(await chased.isOver()).toBe(true)
    // Nobody renews what has ended, and no record is left of it.
    expect(await chased.rotate(chased.thief())).toBeNull()
    const left = await listSessions(ledgerOf(chased.at()), chased.user.id)
    expect(left.map(({ content }) => content.sessionToken)).not.toContain(tokenIn(chased.thief()))
  })

  it("opens nothing after the sign-in that makes its session one too many", async () => {
    const chased = await chase({ atMost: 2 })
    await chased.signIn(chased.user, { seconds: 2 })
    expect([await chased.isOver(), await chased.isOpen(chased.own)]).toEqual([true, true])
  })
})

it("a session ends, and the application hears of it, where the store takes no mark", {
  tags: ["threat:SF-08"],
}, async () => {
  const records = memoryRecords()
  const stage = database({ records })
  const user = await stage.newUser("ada@app.test")
  const [other, here] = [await stage.signIn(user), await stage.signIn(user)]
  const [idOfOther, idHere] = [await stage.idOf(other), await stage.idOf(here)]
  vi.spyOn(records, "countRecord").mockRejectedValue(new Error("the store is full"))
  await expect(endOne(stage.at(here), idOfOther)).rejects.toMatchObject({ type: "AdapterError" })
  expect(await stage.isOpen(other)).toBe(false)
  await endOne(stage.at(here), idHere).catch(() => undefined)
  expect(await stage.isOpen(here)).toBe(false)
})

describe("a session whose end has failed on the way, once it was marked", {
  tags: ["threat:SF-08", "threat:RC-11"],
}, () => {
  /** Two sessions of a user; the end of the one by its name fails after its mark. */
  async function halfEnded(where: "listing" | "removing") {
    const records = memoryRecords()
    let [isMarked, hasFailed] = [false, false]
    const failOnce = (): void => {
      if (!isMarked || hasFailed) return
      hasFailed = true
      throw new Error("the store is away")
    }
    const { countRecord, listRecords } = records
    vi.spyOn(records, "countRecord").mockImplementation(async (key, given) => {
      if (given.add > 0) isMarked = true
      return countRecord(key, given)
    })
    if (where === "listing") {
      vi.spyOn(records, "listRecords").mockImplementation(async (...given) => {
        failOnce()
        return listRecords(...given)
      })
    }
    const over = (adapter: Required<Adapter>) => ({
      async deleteSession(token: string) {
        if (where === "removing") failOnce()
        return adapter.deleteSession(token)
      },
    })
    const stage = database({ records, over })
    const user = await stage.newUser("ada@app.test")
    const [stolen, own] = [await stage.signIn(user), await stage.signIn(user, { seconds: 1 })]
    const id = await stage.idOf(stolen)
    await expect(endOne(stage.at(own), id)).rejects.toMatchObject({ type: "AdapterError" })
    expect(await stage.isOpen(stolen)).toBe(true)
    return { ...stage, user, stolen, own, id }
  }

  it.each(["listing", "removing"] as const)("ends when a new token of it is asked for: %s", async (where) => {
    const { at, user, stolen, own, rotate, isOpen } = await halfEnded(where)
    expect(await rotate(stolen)).toBeNull()
    expect([await isOpen(stolen), await isOpen(own)]).toEqual([false, true])
    const left = await listSessions(ledgerOf(at()), user.id)
    expect(left.map(({ content }) => content.sessionToken)).toEqual([tokenIn(own)])
  })

  it.each(["listing", "removing"] as const)("ends with the next end by its name: %s", async (where) => {
    const { at, stolen, own, id, isOpen } = await halfEnded(where)
    expect(await endOne(at(own), id)).toMatchObject({ count: 1 })
    expect([await isOpen(stolen), await isOpen(own)]).toEqual([false, true])
  })
})

it("a copied token opens nothing after another sign-in in its place, where the mark is seen only once its transaction is committed", {
  tags: ["threat:SF-03", "threat:SF-08"],
}, async () => {
  const memory = memoryAdapter()
  const sessions = managedSessions()
  let [stolen, isBusy]: [string | undefined, boolean] = [undefined, false]
  const renew = async (): Promise<void> => {
    if (stolen === undefined || isBusy) return
    isBusy = true
    stolen = (await sessions.rotate(world.auth, sourceOf(stolen))).cookies[0]?.value ?? stolen
    isBusy = false
  }
  const transaction = async <T>(work: (inside: Adapter) => Promise<T>): Promise<T> => {
    const marks: (() => unknown)[] = []
    const inside: Adapter = {
      ...memory,
      countRecord(key, given) {
        if (key.kind !== "ended") return memory.countRecord(key, given)
        marks.push(() => memory.countRecord(key, given))
        return { sum: 1, expires: given.expires }
      },
      async deleteSession(token) {
        await renew()
        return memory.deleteSession(token)
      },
    }
    const result = await work(inside)
    for (const mark of marks) await mark()
    return result
  }
  const adapter: Adapter = { ...memory, transaction }
  const world = await makeWorld({ adapter, config: { features: [sessions], session: { strategy: "database" } } })
  const browser = world.browser()
  await world.signInByMail(browser, "ada@app.test")
  stolen = browser.cookie(sessionCookie)
  const first = stolen
  await world.signInByMail(browser, "ada@app.test")
  expect(stolen).not.toBe(first)
  expect((await world.auth.session(sourceOf(stolen ?? ""))).session).toBeNull()
  expect(await browser.session()).not.toBeNull()
})
