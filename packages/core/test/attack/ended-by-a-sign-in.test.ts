/** A sign-in ends other sessions: nobody loses one for a sign-in that fails, and it does not fail because another one cannot be ended. */
import { describe, expect, it, vi } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter, memoryRecords } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { RecordStore } from "../../src/types/records.js"
import { sessionCookie } from "../support/journeys.js"
import { type ManagedGiven, managedStage, strategies, tokenIn } from "../support/managed-stage.js"
import { makeWorld } from "../support/world.js"

/** A user with a session in another browser, and one in the browser that signs in again. */
async function signedIn(given: Omit<ManagedGiven, "records">) {
  const records = memoryRecords()
  const stage = managedStage({ ...given, records })
  const user = await stage.newUser("ada@app.test")
  const [there, here] = [await stage.signIn(user), await stage.signIn(user, { seconds: 1 })]
  const again = () => stage.signIn(user, { cookies: here, seconds: 2 })
  return { ...stage, records, user, there, here, again }
}

/** Counts all but the marks of sessions that end. */
function unmarked(records: Pick<RecordStore, "countRecord">): RecordStore["countRecord"] {
  return (key, given) => {
    if (key.kind === "ended" && given.add > 0) throw new Error("the store is full")
    return records.countRecord(key, given)
  }
}

/** Two sign-ins of one browser, each in a transaction: which of their sessions is open afterwards. */
async function twice(given: { readonly records?: RecordStore }) {
  const memory = memoryAdapter()
  const transaction: Required<Adapter>["transaction"] = (work) =>
    memory.transaction((inside) => work({ ...inside, countRecord: unmarked(memory) }))
  const config = { features: [managedSessions()], session: { strategy: "database" }, ...given } as const
  const world = await makeWorld({ adapter: { ...memory, transaction }, config })
  const browser = world.browser()
  const signIn = async (): Promise<string | undefined> => {
    await world.signInByMail(browser, "ada@app.test").catch(() => undefined)
    return browser.cookie(sessionCookie)
  }
  const isOpen = async (token: string | undefined): Promise<boolean> => {
    const source = { url: "https://app.test/", headers: { cookie: `${sessionCookie}=${token}` } }
    return (await world.auth.session(source)).session !== null
  }
  const [one, other] = [await signIn(), await signIn()]
  const second = other !== one && (await isOpen(other))
  return { first: await isOpen(one), second, errors: world.errors.map(({ name }) => name) }
}

describe("a sign-in that ends others", { tags: ["threat:SF-08"] }, () => {
  it("succeeds where the store takes no mark, and ends them", async () => {
    const { user, records, there, here, again, isOpen, signIn } = await signedIn({
      strategy: "database",
      options: { atMost: 2 },
    })
    vi.spyOn(records, "countRecord").mockRejectedValue(new Error("the store is full"))
    const after = await again()
    expect([await isOpen(after), await isOpen(here), await isOpen(there)]).toEqual([true, false, true])
    const third = await signIn(user, { seconds: 3 })
    expect([await isOpen(third), await isOpen(after), await isOpen(there)]).toEqual([true, true, false])
  })

  it.each(strategies)("succeeds where too many cannot be listed: %s", async (strategy) => {
    const { records, user, signIn, isOpen } = await signedIn({ strategy, options: { atMost: 2 } })
    vi.spyOn(records, "listRecords").mockRejectedValue(new Error("the store is away"))
    expect(await isOpen(await signIn(user, { seconds: 2 }))).toBe(true)
  })

  it.each(strategies)("counts none that it takes the place of: %s", async (strategy) => {
    const { there, here, again, isOpen } = await signedIn({ strategy, options: { atMost: 2 } })
    const after = await again()
    expect([await isOpen(after), await isOpen(here), await isOpen(there)]).toEqual([true, false, true])
  })
})

it("a sign-in succeeds where the oldest session cannot be ended, in a transaction as well", {
  tags: ["threat:SF-08"],
}, async () => {
  const memory = memoryAdapter()
  let kept: string | undefined
  const over = <A extends Pick<Required<Adapter>, "deleteSession">>(adapter: A) => ({
    ...adapter,
    deleteSession(token: string) {
      if (token === kept) throw new Error("others refer to it")
      return adapter.deleteSession(token)
    },
  })
  const transaction: Required<Adapter>["transaction"] = (work) =>
    memory.transaction((inside) => work(over(inside as Required<Adapter>)))
  const adapter = { ...over(memory), transaction }
  const config = { features: [managedSessions({ atMost: 1 })], session: { strategy: "database" } } as const
  const world = await makeWorld({ adapter, config })
  const [there, here] = [world.browser(), world.browser()]
  await world.signInByMail(there, "ada@app.test")
  kept = there.cookie(sessionCookie)
  await world.signInByMail(here, "ada@app.test")
  expect(await here.session()).not.toBeNull()
  expect(world.errors.map(({ name }) => name)).toContain("AdapterError")
})

it("a sign-in ends a session from before whose cookie cannot be marked", { tags: ["threat:SF-08"] }, async () => {
  const stage = managedStage({ strategy: "jwt", records: memoryRecords(), config: { session: { updateAge: 0 } } })
  const user = await stage.newUser("ada@app.test")
  const before = await stage.signIn(user, {}, null)
  expect(await stage.isOpen(before, 60)).toBe(true)
  vi.spyOn(stage.records, "countRecord").mockImplementation(unmarked(memoryRecords()))
  const after = await stage.signIn(user, { cookies: before, seconds: 120 })
  expect(await stage.isOpen(after, 180)).toBe(true)
  expect(await stage.records.listRecords("session", user.id)).toHaveLength(1)
})

it("a session in a token ends the oldest with its row, where sessions were kept in rows before", {
  tags: ["threat:SF-08"],
}, async () => {
  const records = memoryRecords()
  const rows = managedStage({ strategy: "database", records })
  const tokens = managedStage({ strategy: "jwt", records, options: { atMost: 1 }, over: () => rows.adapter })
  const user = await rows.newUser("ada@app.test")
  const before = await rows.signIn(user)
  await tokens.signIn(user, { seconds: 1 })
  expect(await rows.memory.getSessionAndUser(tokenIn(before))).toBeNull()
})

describe("a sign-in that fails ends none", { tags: ["threat:SF-08"] }, () => {
  it("where its row cannot be stored", async () => {
    let isFull = false
    const over = (adapter: Required<Adapter>) => ({
      async createSession(row: Parameters<Required<Adapter>["createSession"]>[0]) {
        if (isFull) throw new Error("the store is full")
        return adapter.createSession(row)
      },
    })
    const { user, there, here, signIn, isOpen } = await signedIn({ strategy: "database", over, options: { atMost: 2 } })
    isFull = true
    await expect(signIn(user, { seconds: 2 })).rejects.toMatchObject({ type: "AdapterError" })
    expect([await isOpen(here), await isOpen(there)]).toEqual([true, true])
  })

  it.each(strategies)(
    "where the one before it cannot be ended, and leaves nothing that counts: %s",
    async (strategy) => {
      let kept: string | undefined
      const over = (adapter: Required<Adapter>) => ({
        transaction: undefined,
        deleteSession(token: string) {
          if (token === kept) throw new Error("others refer to it")
          return adapter.deleteSession(token)
        },
      })
      const { records, user, there, here, again, isOpen } = await signedIn({ strategy, over, options: { atMost: 2 } })
      if (strategy === "jwt") vi.spyOn(records, "takeRecord").mockRejectedValueOnce(new Error("away"))
      kept = tokenIn(here)
      await expect(again()).rejects.toMatchObject({ type: "AdapterError" })
      expect(await records.listRecords("session", user.id)).toHaveLength(2)
      kept = undefined
      expect([await isOpen(await again(), 3), await isOpen(there, 3)]).toEqual([true, true])
    },
  )

  it("where its token cannot be sealed", async () => {
    const { records, adapter, user, there, here, isOpen } = await signedIn({
      strategy: "jwt",
      options: { atMost: 2 },
    })
    const encode = vi.fn(() => Promise.reject(new Error("sealed by nobody")))
    const config = { jwt: { encode } }
    const failing = managedStage({ strategy: "jwt", records, config, options: { atMost: 2 }, over: () => adapter })
    await expect(failing.signIn(user, { seconds: 2 })).rejects.toThrow("sealed by nobody")
    expect([await isOpen(here), await isOpen(there)]).toEqual([true, true])
    expect(await records.listRecords("session", user.id)).toHaveLength(2)
  })

  it("where no mark is taken in its transaction", async () => {
    const { first, second, errors } = await twice({})
    expect([first, second]).toEqual([true, false])
    expect(errors).toContain("AdapterError")
  })
})

it("a sign-in ends the one before it where no mark is taken beside its transaction", {
  tags: ["threat:SF-08"],
}, async () => {
  const records = memoryRecords()
  const { first, second, errors } = await twice({ records: { ...records, countRecord: unmarked(records) } })
  expect([first, second]).toEqual([false, true])
  expect(errors).toContain("AdapterError")
})
