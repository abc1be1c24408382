/** An extension that overlaps the end of its session, or a new token of it, does not open the old row again for long. */
import { describe, expect, it, vi } from "vitest"
import { memoryRecords } from "../../src/memory.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { Adapter } from "../../src/types/adapter.js"
import { cookiesAfter } from "../support/context.js"
import { type Cookies, managedStage, tokenIn } from "../support/managed-stage.js"

type Stage = ReturnType<typeof managedStage>

describe("a row that is extended while its session changes", { tags: ["threat:SF-08", "threat:RC-10"] }, () => {
  /** An extension whose record is written, and whose row is written only after `meanwhile`. */
  async function extended(meanwhile: (stage: Stage, here: Cookies) => Promise<unknown>) {
    let step: (() => Promise<unknown>) | undefined
    const over = (adapter: Required<Adapter>) => ({
      async updateSession(patch: Parameters<Required<Adapter>["updateSession"]>[0]) {
        const now = step
        step = undefined
        await now?.()
        // A store that writes what is gone.
        const found = await adapter.getSessionAndUser(patch.sessionToken)
        if (found ?? !patch.expires) return adapter.updateSession(patch)
        return adapter.createSession({ ...patch, userId: user.id, expires: patch.expires })
      },
    })
    const stage = managedStage({ strategy: "database", over, config: { session: { updateAge: 0 } } })
    const user = await stage.newUser("ada@app.test")
    const here = await stage.signIn(user)
    step = () => meanwhile(stage, here)
    return { ...stage, here, isOpenThen: await stage.isOpen(here, 60) }
  }

  it("is over with the token that was replaced, and open until then", async () => {
    let after: Cookies | null = null
    const { here, isOpen, isOpenThen } = await extended(async ({ rotate }, before) => {
      after = await rotate(before, 60)
    })
    expect([isOpenThen, await isOpen(here, 89), await isOpen(here, 91)]).toEqual([true, true, false])
    expect(await isOpen(after ?? {}, 91)).toBe(true)
  })

  it("is over where the session has ended", async () => {
    const { here, isOpen, isOpenThen, memory } = await extended(async ({ at }, before) => {
      await selectStrategy(at(before).settings).end(at(before, 60))
    })
    expect([isOpenThen, await isOpen(here, 61)]).toEqual([false, false])
    expect(await memory.getSessionAndUser(tokenIn(here))).toBeNull()
  })
})

describe("a row that many requests extend at once", { tags: ["threat:RC-10"] }, () => {
  it.each([null, {}])(
    "ends at what one of them gave, never before the end that they found: managed by %j",
    async (options) => {
      let waiting: (() => void)[] = []
      const over = (adapter: Required<Adapter>) => ({
        async updateSession(patch: Parameters<Required<Adapter>["updateSession"]>[0]) {
          await new Promise<void>((resolve) => waiting.push(resolve))
          return adapter.updateSession(patch)
        },
      })
      const config = { session: { updateAge: 60 } }
      const { at, memory, newUser, signIn } = managedStage({ strategy: "database", over, options, config })
      const here = await signIn(await newUser("ada@app.test"))
      const endNow = async (): Promise<number> =>
        ((await memory.getSessionAndUser(tokenIn(here)))?.session.expires.getTime() ?? 0) / 1000
      const begun = await endNow()
      const seconds = Array.from({ length: 50 }, (_, index) => 40 + index)
      const checks = seconds.map((later) => {
        const context = at(here, later)
        return selectStrategy(context.settings).check(context)
      })
      // Whoever came last writes first.
      const writeAll = async (): Promise<void> => {
        while (waiting.length > 0) {
          const resolved = waiting.reverse()
          waiting = []
          for (const resolve of resolved) resolve()
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
      await writeAll()
      for (const { session } of await Promise.all(checks))
        expect(session?.user).toMatchObject({ email: "ada@app.test" })
      expect(await endNow()).toBeGreaterThanOrEqual(begun + 60)
      expect(await endNow()).toBeLessThanOrEqual(begun + 89)
    },
  )
})

describe("a token that is extended while its session changes", { tags: ["threat:SF-08", "threat:RC-10"] }, () => {
  const day = 86_400

  /** A read that extends the session, and whose record is written only after `meanwhile`. */
  async function extended(meanwhile: (stage: Stage, here: Cookies) => Promise<unknown>, seconds = day) {
    const records = memoryRecords()
    const stage = managedStage({ strategy: "jwt", records })
    const here = await stage.signIn(await stage.newUser("ada@app.test"))
    const { putRecord } = records
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      await meanwhile(stage, here)
      return putRecord(...given)
    })
    const context = stage.at(here, seconds)
    const { session, cookies } = await selectStrategy(context.settings).check(context)
    return { ...stage, here, answer: [session !== null, cookies.length], left: cookiesAfter(context, cookies) }
  }

  it("is shown once more where it was replaced, leaves the new one alone, and is over after half a minute", async () => {
    let after: Cookies | null = null
    const { here, isOpen, answer } = await extended(async ({ rotate }, before) => {
      after = await rotate(before, day)
    })
    expect(answer).toEqual([true, 0])
    expect([await isOpen(here, day + 29), await isOpen(here, day + 30)]).toEqual([true, false])
    expect(await isOpen(after ?? {}, day + 31)).toBe(true)
  })

  it.each<[string, number, number]>([
    ["whose half a minute is over", 1, day + 30],
    ["that was replaced twice", 2, day],
  ])("shows nothing %s, and leaves the new one alone", async (_, times, seconds) => {
    let after: Cookies = {}
    const { isOpen, answer } = await extended(async ({ rotate }, before) => {
      after = before
      for (let count = 0; count < times; count++) after = (await rotate(after, day)) ?? {}
    }, seconds)
    expect(answer).toEqual([false, 0])
    expect(await isOpen(after, day + 31)).toBe(true)
  })

  it("is over, and its cookie goes, where the session has ended", async () => {
    const { answer, left } = await extended(async ({ at }, before) => {
      await selectStrategy(at(before).settings).end(at(before, day))
    })
    expect([answer[0], left]).toEqual([false, {}])
  })
})
