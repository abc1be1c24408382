import { describe, expect, it, vi } from "vitest"
import { memoryRecords } from "../adapters/records.js"
import { AdapterError } from "../errors.js"
import type { PersonLimit } from "../types/limits.js"
import { forgetPerson, tryAtPerson, tryInWindow, type Verdict } from "./limiter.js"
import { createRecords } from "./records.js"
import { createTryMemory, type TryStore, withTryMemory } from "./try-store.js"

const start = new Date("2026-03-01T12:00:00.000Z")
const at = (seconds: number): Date => new Date(start.getTime() + seconds * 1000)
const limit: PersonLimit = { free: 3, window: 1000, wait: 2, longest: 10, most: 7 }
const everybody = Array.from({ length: 200 }, (_, index) => index)

/** A store whose answers come late and in any order. */
function late(store: TryStore): TryStore {
  const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const wrapped =
    (verb: keyof TryStore) =>
    async (...given: never[]) => {
      await pause()
      const answer = await (store[verb] as (...given: never[]) => Promise<unknown>)(...given)
      await pause()
      return answer
    }
  return {
    getRecord: wrapped("getRecord"),
    putRecord: wrapped("putRecord"),
    takeRecord: wrapped("takeRecord"),
    countRecord: wrapped("countRecord"),
  } as unknown as TryStore
}

const stores: readonly (readonly [string, () => TryStore])[] = [
  ["records", () => late(createRecords(memoryRecords()))],
  ["memory", () => late(createTryMemory(1000))],
]

describe.each(stores)("tries that are counted in %s", (_, make) => {
  const person = (store: TryStore, now: Date) => tryAtPerson(store, { key: "ada", limit, now })

  it("in a window: of 200 at once no more than are free go, and the others hear when it ends", async () => {
    const store = make()
    const given = { key: "net", limit: { free: 60, window: 100 }, now: start }
    const verdicts = await Promise.all(everybody.map(() => tryInWindow(store, given)))
    expect(verdicts.filter(({ kind }) => kind === "go")).toHaveLength(60)
    expect(verdicts.find(({ kind }) => kind === "wait")).toEqual({ kind: "wait", until: at(100) })
    expect((await tryInWindow(store, { ...given, now: at(99.999) })).kind).toBe("wait")
    expect((await tryInWindow(store, { ...given, now: at(100) })).kind).toBe("go")
  })

  it("in a window: several may be given back, and never more than were counted", async () => {
    const store = make()
    const given = { key: "net", limit: { free: 3, window: 100 }, now: start }
    const sum = async () =>
      (await store.countRecord({ kind: "limit-count", key: "net" }, { add: 0, expires: at(100), now: start })).sum
    const verdicts = [await tryInWindow(store, given), await tryInWindow(store, given)]
    await tryInWindow(store, given)
    const sums: number[] = []
    for (const verdict of verdicts) {
      if (verdict.kind === "go") await verdict.giveBack(2)
      sums.push(await sum())
    }
    expect(sums).toEqual([1, 0])
  })

  it("in a window: what is given back can be tried again, once, and not in the next window", async () => {
    const store = make()
    const given = { key: "net", limit: { free: 1, window: 100 }, now: start }
    const first = await tryInWindow(store, given)
    if (first.kind === "go") await first.giveBack()
    expect((await tryInWindow(store, given)).kind).toBe("go")
    expect((await tryInWindow(store, given)).kind).toBe("wait")
    expect((await tryInWindow(store, { ...given, now: at(100) })).kind).toBe("go")
    if (first.kind === "go") await first.giveBack()
    expect((await tryInWindow(store, { ...given, now: at(101) })).kind).toBe("wait")
  })

  it("at a person: of 200 at once no more than are free go", {
    tags: ["threat:A-036", "threat:A-147", "threat:RC-19"],
  }, async () => {
    const store = make()
    const verdicts = await Promise.all(everybody.map(() => person(store, start)))
    expect(verdicts.filter(({ kind }) => kind === "go")).toHaveLength(3)
  })

  it("at a person: after the free ones each wait is twice the one before, up to the longest", async () => {
    const store = make()
    for (let index = 0; index < 3; index += 1) expect((await person(store, start)).kind).toBe("go")
    let time = 0
    for (const wait of [2, 4, 8, 10]) {
      expect(await person(store, at(time))).toEqual({ kind: "wait", until: at(time + wait) })
      expect(await person(store, at(time + wait - 0.001))).toEqual({ kind: "wait", until: at(time + wait) })
      time += wait
      const verdicts = await Promise.all(everybody.map(() => person(store, at(time))))
      expect(verdicts.filter(({ kind }) => kind === "go")).toHaveLength(1)
    }
  })

  it("at a person: after the most there are, only the end of the window helps", async () => {
    const store = make()
    for (let index = 0; index < 7; index += 1) expect((await person(store, at(index * 20))).kind).toBe("go")
    expect(await person(store, at(999))).toEqual({ kind: "wait", until: at(1000) })
    expect((await person(store, at(1000))).kind).toBe("go")
  })

  it("at a person: refused ones count for nothing", async () => {
    const store = make()
    for (let index = 0; index < 3; index += 1) await person(store, start)
    for (let index = 0; index < 50; index += 1) await person(store, at(1))
    expect((await person(store, at(2))).kind).toBe("go")
    expect(await person(store, at(2))).toEqual({ kind: "wait", until: at(6) })
  })

  it("at a person: what is given back was never tried", async () => {
    const store = make()
    for (let index = 0; index < 20; index += 1) {
      const verdict = await person(store, start)
      expect(verdict.kind).toBe("go")
      if (verdict.kind === "go") await verdict.giveBack()
    }
  })

  it("at a person: forgotten ones are as if they had never been", async () => {
    const store = make()
    const verdicts: Verdict[] = []
    for (let index = 0; index < 4; index += 1) verdicts.push(await person(store, start))
    expect(await forget(verdicts[0])).toBe(true)
    for (let index = 0; index < 3; index += 1) expect((await person(store, start)).kind).toBe("go")
  })

  it("keeps people apart", async () => {
    const store = make()
    for (let index = 0; index < 4; index += 1) await person(store, start)
    expect((await tryAtPerson(store, { key: "grace", limit, now: start })).kind).toBe("go")
  })
})

const forget = async (verdict: Verdict | undefined): Promise<boolean | undefined> =>
  verdict?.kind === "go" ? verdict.forget?.() : undefined

describe("a try at a person", () => {
  const ofBrowser = { key: "browser", person: "ada", limit, now: start }
  const name = { kind: "limit-wait", key: "browser" }
  const giveBack = async (verdict: Verdict): Promise<void> => (verdict.kind === "go" ? verdict.giveBack() : undefined)

  it("that a hundred others were always quicker than has to wait like one too many", async () => {
    const store = createTryMemory(10)
    const put = vi.spyOn(store, "putRecord").mockResolvedValue(false)
    expect(await tryAtPerson(store, ofBrowser)).toEqual({ kind: "wait", until: at(2) })
    expect(put).toHaveBeenCalledTimes(100)
  })

  it("ends the wait when it is given back as the last free one, and leaves a longer wait as it is", async () => {
    const store = createTryMemory(10)
    const verdicts: Verdict[] = []
    for (const time of [0, 0, 0, 2]) verdicts.push(await tryAtPerson(store, { ...ofBrowser, now: at(time) }))
    expect(await store.getRecord(name, start)).toMatchObject({ value: `4 ${at(6).getTime()}`, userId: "ada" })
    for (const value of [`3 ${at(6).getTime()}`, "2 0", "1 0", "0 0", "0 0"]) {
      await giveBack(verdicts[0] as Verdict)
      expect(await store.getRecord(name, start)).toMatchObject({ value, userId: "ada", expires: at(1000) })
    }
  })

  it("is given back to nobody once it was forgotten, and tries so no more than a hundred times", async () => {
    const store = createTryMemory(10)
    const verdict = await tryAtPerson(store, ofBrowser)
    const put = vi.spyOn(store, "putRecord").mockResolvedValue(false)
    await giveBack(verdict)
    expect(put).toHaveBeenCalledTimes(100)
    expect(await forget(verdict)).toBe(false)
    expect(put).toHaveBeenCalledTimes(200)
    await forgetPerson(store, "browser", start)
    expect(await forget(verdict)).toBe(true)
    await giveBack(verdict)
    expect(put).toHaveBeenCalledTimes(201)
  })

  it("is forgotten with others where all of them spelled the name alike, and leaves no record that counts", async () => {
    const store = createTryMemory(10)
    const own = { key: "browser", spelling: "one", limit, now: start }
    await tryAtPerson(store, own)
    const verdict = await tryAtPerson(store, own)
    expect(await store.getRecord(name, start)).toMatchObject({ value: "2 0 one" })
    await giveBack(await tryAtPerson(store, own))
    expect(await forget(verdict)).toBe(true)
    expect(await store.getRecord(name, start)).toBeNull()
  })

  it.each([["before"], ["meanwhile"]])("forgets none that spelled the name in another way %s", async (when) => {
    const store = createTryMemory(10)
    const own = { key: "browser", spelling: "one", limit, now: start }
    const other = () => tryAtPerson(store, { ...own, spelling: "two" })
    if (when === "before") await other()
    const verdict = await tryAtPerson(store, own)
    if (when === "meanwhile") await other()
    expect(await forget(verdict)).toBe(false)
    await giveBack(verdict)
    expect(await store.getRecord(name, start)).toMatchObject({ value: "1 0" })
    expect(await forget(await tryAtPerson(store, own))).toBe(false)
  })

  it("that was given back has spelled nothing", async () => {
    const store = createTryMemory(10)
    const own = { key: "browser", spelling: "one", limit, now: start }
    await giveBack(await tryAtPerson(store, { ...own, spelling: "two" }))
    expect(await forget(await tryAtPerson(store, own))).toBe(true)
  })

  it("is forgotten with its person, in every browser, and nothing else is", async () => {
    const store = createTryMemory(10)
    await tryAtPerson(store, ofBrowser)
    await tryAtPerson(store, { key: "ada", limit, now: start })
    await tryAtPerson(store, { ...ofBrowser, key: "other", person: "grace" })
    await store.putRecord(
      { ...name, kind: "other", userId: "ada", value: "", version: 1, expires: at(9) },
      { expected: 0, now: start },
    )
    await forgetPerson(store, "ada", start)
    const left = async (kind: string, key: string) => (await store.getRecord({ kind, key }, start)) !== null
    expect([await left("limit-wait", "browser"), await left("limit-wait", "ada")]).toEqual([false, false])
    expect([await left("limit-wait", "other"), await left("other", "browser")]).toEqual([true, true])
  })

  it("begins with a version that nobody can know, and is never 0", async () => {
    const versions = new Set<number>()
    for (let index = 0; index < 20; index += 1) {
      const store = createTryMemory(10)
      await tryAtPerson(store, ofBrowser)
      const first = (await store.getRecord(name, start))?.version ?? 0
      await tryAtPerson(store, ofBrowser)
      expect((await store.getRecord(name, start))?.version).toBe(first + 1)
      expect(first).toBeGreaterThan(0)
      versions.add(first)
    }
    expect(versions.size).toBeGreaterThan(15)
  })

  it("waits for no longer than a date can say, however often it was made", async () => {
    const store = createTryMemory(10)
    const endless = { free: 1, window: 1e12, wait: 1, longest: 1e12, most: 100 }
    let now = start
    for (let index = 0; index < 60; index += 1) {
      const verdict = await tryAtPerson(store, { key: "ada", limit: endless, now })
      if (verdict.kind === "wait") now = verdict.until
    }
    expect(now.getTime()).toBeLessThan(8.64e15)
  })
})

describe("the memory of tries", () => {
  it("holds no more than its limit, and forgets the oldest", { tags: ["threat:AL-16"] }, async () => {
    const store = createTryMemory(10)
    const given = (key: string) => ({ key, limit: { free: 1, window: 100 }, now: start })
    for (const key of ["a", ...Array.from({ length: 9 }, (_, index) => `k${index}`)])
      await tryInWindow(store, given(key))
    expect((await tryInWindow(store, given("a"))).kind).toBe("wait")
    await tryInWindow(store, given("one more"))
    expect((await tryInWindow(store, given("a"))).kind).toBe("wait")
    expect((await tryInWindow(store, given("k0"))).kind).toBe("go")
  })
})

/** Records that can be taken away, with a memory behind them. */
function interruptible() {
  let isDown = false
  const verbs = Object.entries(memoryRecords() as unknown as Record<string, (...given: unknown[]) => unknown>)
  const asked = verbs.map(([name, verb]) => [
    name,
    (...given: unknown[]) => (isDown ? Promise.reject(new Error("down")) : verb(...given)),
  ])
  const records = createRecords(Object.fromEntries(asked))
  const go = (where: "up" | "down"): void => {
    isDown = where === "down"
  }
  return { triesAt: withTryMemory(records, createTryMemory(100)), go }
}

describe("records that cannot be asked", () => {
  const window = { free: 2, window: 1000 }

  it("are stood in for by the memory of the process, which neither lets everybody pass nor refuses everybody", {
    tags: ["threat:FP-21"],
  }, async () => {
    const countRecord = vi.fn(() => Promise.reject(new Error("down")))
    const records = createRecords({ ...memoryRecords(), countRecord })
    const tell = vi.fn()
    const triesAt = withTryMemory(records, createTryMemory(100))
    const kinds: string[] = []
    for (const time of [0, 1, 2, 29]) {
      kinds.push((await tryInWindow(triesAt(at(time), tell), { key: "net", limit: window, now: at(time) })).kind)
    }
    expect(kinds).toEqual(["go", "go", "wait", "wait"])
    expect(countRecord).toHaveBeenCalledOnce()
    expect(tell).toHaveBeenCalledOnce()
    expect(tell.mock.calls[0]?.[0]).toBeInstanceOf(AdapterError)
  })

  it.each(["tryAtPerson", "tryInWindow"] as const)(
    "answered before what the memory goes on from: %s",
    {
      tags: ["threat:FP-21", "threat:V6-06"],
    },
    async (way) => {
      const { triesAt, go } = interruptible()
      const attempt = async (time: number): Promise<string> => {
        const store = triesAt(at(time), () => {})
        if (way === "tryInWindow") return (await tryInWindow(store, { key: "k", limit: window, now: at(time) })).kind
        const limit = { free: 2, wait: 100, longest: 100, most: 9, window: 1000 }
        return (await tryAtPerson(store, { key: "k", limit, now: at(time) })).kind
      }
      expect([await attempt(0), await attempt(0), await attempt(1)]).toEqual(["go", "go", "wait"])
      go("down")
      expect([await attempt(2), await attempt(3)]).toEqual(["wait", "wait"])
    },
  )

  it.each(["tryAtPerson", "tryInWindow"] as const)(
    "have counted more than the memory has itself, in an earlier time without them: %s",
    { tags: ["threat:FP-21", "threat:V6-06"] },
    async (way) => {
      const { triesAt, go } = interruptible()
      const limit = { free: 2, wait: 900, longest: 900, most: 9, window: 1000 }
      const attempt = async (time: number): Promise<string> => {
        const store = triesAt(at(time), () => {})
        const given = { key: "k", limit, now: at(time) }
        return (way === "tryInWindow" ? await tryInWindow(store, given) : await tryAtPerson(store, given)).kind
      }
      go("down")
      expect(await attempt(0)).toBe("go")
      go("up")
      expect([await attempt(31), await attempt(32)]).toEqual(["go", "go"])
      go("down")
      expect(await attempt(33)).toBe("wait")
    },
  )

  it("have forgotten what the memory had taken over from them beside its own", { tags: ["threat:FP-21"] }, async () => {
    const { triesAt, go } = interruptible()
    const limit = { free: 5, wait: 900, longest: 900, most: 9, window: 1000 }
    const attempt = (time: number) =>
      tryAtPerson(
        triesAt(at(time), () => {}),
        { key: "k", limit, now: at(time) },
      )
    go("down")
    await attempt(0)
    go("up")
    for (const time of [31, 32, 33]) await attempt(time)
    const last = await attempt(34)
    if (last.kind === "go") await last.forget?.()
    go("down")
    for (const time of [35, 36, 37, 38, 39]) expect((await attempt(time)).kind).toBe("go")
  })

  it("are forgotten in memory as well, and what that has counted itself stays", {
    tags: ["threat:FP-21"],
  }, async () => {
    const { triesAt, go } = interruptible()
    const limit = { free: 2, wait: 100, longest: 100, most: 9, window: 1000 }
    const attempt = (time: number) =>
      tryAtPerson(
        triesAt(at(time), () => {}),
        { key: "k", limit, now: at(time) },
      )
    const verdicts = [await attempt(0), await attempt(0)]
    for (const verdict of verdicts) if (verdict.kind === "go") await verdict.forget?.()
    go("down")
    // From zero, and two of them.
    expect([(await attempt(1)).kind, (await attempt(1)).kind, (await attempt(1)).kind]).toEqual(["go", "go", "wait"])
    go("up")
    expect((await attempt(32)).kind).toBe("go")
    go("down")
    expect((await attempt(33)).kind).toBe("wait")
  })

  it("are asked again after half a minute", async () => {
    let isDown = true
    const good = memoryRecords()
    const records = createRecords({
      ...good,
      countRecord: (...given) => (isDown ? Promise.reject(new Error("down")) : good.countRecord(...given)),
    })
    const triesAt = withTryMemory(records, createTryMemory(100))
    const attempt = (time: number) =>
      tryInWindow(
        triesAt(at(time), () => {}),
        { key: "net", limit: window, now: at(time) },
      )
    await attempt(0)
    isDown = false
    await attempt(30)
    const key = { kind: "limit-count", key: "net" }
    expect(await good.countRecord(key, { add: 0, expires: at(9999), now: at(31) })).toMatchObject({ sum: 1 })
  })
})
