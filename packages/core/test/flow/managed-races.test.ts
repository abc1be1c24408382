/** Managed sessions that change while they end, and stores that fail half-way. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter, memoryRecords } from "../../src/memory.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

const owner = "owner@app.test"
const strategies = ["jwt", "database"] as const

afterEach(() => void vi.useRealTimers())

const sourceOf = (token: string) => ({ url: "https://app.test/", headers: { cookie: `${sessionCookie}=${token}` } })
const tokenOf = (browser: TestBrowser): string => browser.cookie(sessionCookie) ?? ""

async function open(
  strategy: (typeof strategies)[number],
  change: (adapter: ReturnType<typeof memoryAdapter>) => object = () => ({}),
) {
  const sessions = managedSessions()
  const whole = memoryAdapter()
  const adapter = { ...whole, ...change(whole) }
  const records = memoryRecords()
  const config = { features: [sessions], session: { strategy }, records }
  const world = await makeWorld({ adapter, config })
  const signIn = async () => {
    const browser = world.browser()
    await world.signInByMail(browser, owner)
    return browser
  }
  const rotate = async (token: string): Promise<string | undefined> =>
    (await sessions.rotate(world.auth, sourceOf(token))).cookies[0]?.value
  const isOpen = async (token: string | undefined) =>
    token !== undefined && (await world.auth.session(sourceOf(token))).session !== null
  const userId = async () => (await whole.getUserByEmail(owner))?.id ?? ""
  return { isOpen, records, rotate, sessions, signIn, userId, world }
}

describe("a row that gets a new token while its session ends", { tags: ["threat:RC-11"] }, () => {
  /** The store, where a request asks for a new token just before a row is deleted. */
  async function racing(without: object = {}) {
    const state: {
      token?: string
      renewed?: string | undefined
      rotate?: (token: string) => Promise<string | undefined>
    } = {}
    const renew = async () => {
      const { token } = state
      delete state.token
      if (token !== undefined) state.renewed = await state.rotate?.(token)
    }
    const opened = await open("database", ({ deleteSession }) => ({
      ...without,
      async deleteSession(token: string) {
        if (token === state.token) await renew()
        return deleteSession(token)
      },
    }))
    state.rotate = opened.rotate
    /** The request comes before the mark that the session has ended, and not after it. */
    const beforeTheMark = () => {
      const { countRecord } = opened.records
      vi.spyOn(opened.records, "countRecord").mockImplementation(async (key, given) => {
        if (given.add > 0) await renew()
        return countRecord(key, given)
      })
    }
    return { ...opened, state, beforeTheMark }
  }

  it.each([
    ["end", "before"],
    ["endOthers", "before"],
    ["end", "after"],
    ["endOthers", "after"],
  ] as const)("is gone with it: %s, %s the mark", async (how, when) => {
    const { isOpen, sessions, signIn, state, world, beforeTheMark } = await racing()
    if (when === "before") beforeTheMark()
    const [here, other] = [await signIn(), await signIn()]
    const [entry] = (await sessions.list(world.auth, sourceOf(tokenOf(here)))).filter(({ current }) => !current)
    state.token = tokenOf(other)
    if (how === "end") await sessions.end(world.auth, sourceOf(tokenOf(here)), entry?.id ?? "")
    else await sessions.endOthers(world.auth, sourceOf(tokenOf(here)))
    expect([state.token, typeof state.renewed]).toEqual([undefined, when === "before" ? "string" : "undefined"])
    expect([await isOpen(state.renewed), await isOpen(tokenOf(other))]).toEqual([false, false])
  })

  it("is gone when the person signs out of it", async () => {
    const { isOpen, sessions, signIn, state, world } = await racing()
    const here = await signIn()
    const [entry] = await sessions.list(world.auth, sourceOf(tokenOf(here)))
    state.token = tokenOf(here)
    await sessions.end(world.auth, sourceOf(tokenOf(here)), entry?.id ?? "")
    expect([state.renewed, await isOpen(state.renewed)]).toEqual([expect.any(String), false])
  })

  it("is gone with all sessions of the user, where the adapter ends rows one by one", async () => {
    const { isOpen, sessions, signIn, state, userId, world, beforeTheMark } = await racing({
      deleteSessionsByUserId: undefined,
    })
    beforeTheMark()
    const here = await signIn()
    state.token = tokenOf(here)
    expect(await sessions.endAll(world.auth, await userId())).toEqual({ ended: 1 })
    expect([state.renewed, await isOpen(state.renewed)]).toEqual([expect.any(String), false])
  })

  it("is gone with all sessions of the user, where the adapter ends all rows at once", async () => {
    const state: {
      token?: string
      renewed?: string | undefined
      rotate?: (token: string) => Promise<string | undefined>
    } = {}
    const { isOpen, rotate, sessions, signIn, userId, world } = await open("database", (adapter) => ({
      async deleteSessionsByUserId(id: string) {
        // The rows are gone; a request that read its row before writes another one.
        const { token } = state
        delete state.token
        const row = token === undefined ? null : await adapter.getSessionAndUser(token)
        await adapter.deleteSessionsByUserId?.(id)
        if (!row || token === undefined) return
        await adapter.createSession(row.session)
        state.renewed = await state.rotate?.(token)
        await adapter.deleteSession(token)
      },
    }))
    state.rotate = rotate
    state.token = tokenOf(await signIn())
    await sessions.endAll(world.auth, await userId())
    expect([state.renewed, await isOpen(state.renewed)]).toEqual([expect.any(String), false])
  })
})

describe.each(strategies)("%s strategy", (strategy) => {
  it("has nothing left of a session that ends while fifty requests ask for a new token", {
    tags: ["threat:RC-11", "threat:RC-12"],
  }, async () => {
    const { isOpen, rotate, sessions, signIn, world } = await open(strategy)
    const [here, other] = [await signIn(), await signIn()]
    const asked = Array.from({ length: 50 }, () => rotate(tokenOf(other)).catch(() => undefined))
    const ending = sessions.endOthers(world.auth, sourceOf(tokenOf(here)))
    const made = await Promise.all(asked)
    await ending
    for (const token of [tokenOf(other), ...made]) expect(await isOpen(token)).toBe(false)
  })

  it("keeps the token of who ends the others where the store fails on the way", async () => {
    const { isOpen, records, sessions, signIn, world } = await open(strategy)
    const [here] = [await signIn(), await signIn()]
    let calls = 0
    let allowed = Number.POSITIVE_INFINITY
    const failing = new Proxy(records, {
      get(target, name) {
        const verb: unknown = Reflect.get(target, name)
        if (typeof verb !== "function") return verb
        return (...given: unknown[]) => {
          calls += 1
          if (calls > allowed) throw new Error("connection lost")
          return Reflect.apply(verb, target, given) as unknown
        }
      },
    })
    const config = { features: [sessions], session: { strategy }, records: failing }
    const other = await makeWorld({ adapter: world.adapter, config })
    const endOthers = () => sessions.endOthers(other.auth, sourceOf(tokenOf(here)))
    for (allowed = 0; allowed < 30; allowed++) {
      calls = 0
      if (await endOthers().catch(() => undefined)) break
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 })
      expect(await isOpen(tokenOf(here)), `after ${allowed} calls`).toBe(true)
    }
    expect(allowed).toBeGreaterThan(3)
    expect(allowed).toBeLessThan(30)
  })

  it("names the first who acts, however many they act for one after another, and lets none of them see more", {
    tags: ["threat:SF-26"],
  }, async () => {
    const { sessions, signIn, userId, world } = await open(strategy)
    await signIn()
    const support = world.browser()
    await world.signInByMail(support, "support@app.test")
    const third = world.browser()
    await world.signInByMail(third, "third@app.test")
    const thirdId = (await world.adapter.getUserByEmail?.("third@app.test"))?.id ?? ""
    const supportId = (await world.adapter.getUserByEmail?.("support@app.test"))?.id ?? ""
    const first = await sessions.actAs(world.auth, sourceOf(tokenOf(support)), await userId())
    const second = await sessions.actAs(world.auth, sourceOf(first.cookies[0]?.value ?? ""), thirdId)
    const token = second.cookies[0]?.value ?? ""
    const list = await sessions.list(world.auth, sourceOf(token))
    expect(list.find(({ current }) => current)).toMatchObject({ actor: supportId })
    expect(list.find(({ current }) => current)).not.toHaveProperty("acr")
    // Back to oneself it is still the session of somebody who acts.
    const back = await sessions.actAs(world.auth, sourceOf(token), supportId)
    const own = await sessions.list(world.auth, sourceOf(back.cookies[0]?.value ?? ""))
    expect(own.find(({ current }) => current)).toMatchObject({ actor: supportId })
    for (const old of [tokenOf(support), first.cookies[0]?.value, token])
      expect((await world.auth.session(sourceOf(old ?? ""))).session).toBeNull()
  })
})

describe.each(strategies)("a store that takes no new record, %s", (strategy) => {
  /** Two sessions, and a store that is full from then on. */
  async function full() {
    const opened = await open(strategy)
    const [here, there] = [await opened.signIn(), await opened.signIn()]
    const { putRecord } = opened.records
    opened.records.putRecord = (record, { expected, now }) => {
      if (expected === 0) throw new Error("out of memory")
      return putRecord(record, { expected, now })
    }
    return { ...opened, here, there }
  }

  it("still ends all sessions of a user, and says that those from before are not ended", async () => {
    const { here, there, isOpen, sessions, userId, world } = await full()
    await expect(sessions.endAll(world.auth, await userId())).rejects.toThrow("putRecord")
    for (const browser of [here, there]) expect(await isOpen(tokenOf(browser))).toBe(false)
  })

  it("still ends the others, and leaves the token of this one as it is", async () => {
    const { here, there, isOpen, sessions, world } = await full()
    await expect(sessions.endOthers(world.auth, sourceOf(tokenOf(here)))).rejects.toThrow("putRecord")
    expect([await isOpen(tokenOf(here)), await isOpen(tokenOf(there))]).toEqual([true, false])
  })
})
