/** A new token that cannot be sealed, or whose record cannot be asked afterwards: the session goes on with the one that it has. */
import { beforeEach, describe, expect, it, vi } from "vitest"
import { encode as seal } from "../../src/jwt.js"
import { memoryRecords } from "../../src/memory.js"
import { endOthers, rotate } from "../../src/sessions/control.js"
import { selectStrategy } from "../../src/sessions/select.js"
import { cookiesAfter, later } from "../support/context.js"
import { managedStage } from "../support/managed-stage.js"

const day = 86_400

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: later(0) })
  return () => void vi.useRealTimers()
})

/** Sessions whose next token is sealed by what the test says. */
function stage() {
  let next: (() => Promise<void>) | undefined
  const encode = async (params: unknown): Promise<string> => {
    const meanwhile = next
    next = undefined
    await meanwhile?.()
    return seal(params as never)
  }
  const records = memoryRecords()
  const whole = managedStage({ strategy: "jwt", records, config: { jwt: { encode: encode as never } } })
  const fails = async (): Promise<never> => {
    throw new Error("the key service did not answer")
  }
  const atSealing = (given: () => Promise<void>): void => {
    next = given
  }
  return { ...whole, records, fails, atSealing }
}

describe.each([
  ["managed", {}],
  ["from before", null],
])("a session in a token, %s", (_, options) => {
  it.each([
    ["a new token", rotate],
    ["a new token, and all others ended", endOthers],
  ])(
    "goes on where its next cannot be sealed, and gets one with the second try: %s",
    {
      tags: ["threat:RC-12"],
    },
    async (_what, change) => {
      const { at, newUser, signIn, isOpen, fails, atSealing } = stage()
      const user = await newUser("ada@app.test")
      const own = await signIn(user, {}, options)
      const other = await signIn(user, {})
      atSealing(fails)
      await expect(change(at(own, 60))).rejects.toThrow("the key service did not answer")
      expect([await isOpen(own, 100), await isOpen(own, day + 100)]).toEqual([true, true])
      const again = at(own, 120)
      const { cookies, count } = await change(again)
      expect(count).toBeGreaterThanOrEqual(change === rotate ? 1 : 0)
      expect(await isOpen(cookiesAfter(again, cookies), day + 200)).toBe(true)
      expect(await isOpen(own, day + 200)).toBe(false)
      expect(await isOpen(other, day + 200)).toBe(change === rotate)
    },
  )

  it("gets one token of two that are sealed at once, and goes on with it", { tags: ["threat:RC-12"] }, async () => {
    const { at, newUser, signIn, isOpen, atSealing } = stage()
    const own = await signIn(await newUser("ada@app.test"), {}, options)
    let first = {}
    atSealing(async () => {
      const context = at(own, 60)
      first = cookiesAfter(context, (await rotate(context)).cookies)
    })
    expect(await rotate(at(own, 60))).toEqual({ count: 0, cookies: [] })
    expect(await isOpen(first, 120)).toBe(true)
  })
})

describe("a session in a token from before", () => {
  it("goes on for a request that got a token, where another one of that moment cannot seal its own", async () => {
    const { at, newUser, signIn, isOpen, fails, atSealing } = stage()
    const own = await signIn(await newUser("ada@app.test"), {}, null)
    vi.setSystemTime(later(day + 60))
    const { check } = selectStrategy(at().settings)
    let after = {}
    atSealing(async () => {
      const context = at(own, day + 60)
      after = cookiesAfter(context, (await check(context)).cookies)
      return fails()
    })
    await expect(check(at(own, day + 60))).rejects.toThrow("the key service did not answer")
    expect(after).not.toEqual(own)
    expect(await isOpen(after, day + 61)).toBe(true)
  })

  it.each([
    ["it had been ended by its name", "countRecord", 2],
    ["all of those had been ended", "getRecord", 2],
  ] as const)(
    "keeps its old token where a new one is written, and nobody can say whether %s",
    async (_, method, nth) => {
      const { at, newUser, signIn, isOpen, records } = stage()
      const own = await signIn(await newUser("ada@app.test"), {}, null)
      const answer = records[method] as (...given: unknown[]) => Promise<never>
      let count = 0
      vi.spyOn(records, method).mockImplementation((...given: unknown[]) => {
        count += 1
        return count === nth ? Promise.reject(new Error("the connection was reset")) : answer(...given)
      })
      await expect(rotate(at(own, 60))).rejects.toMatchObject({ type: "AdapterError" })
      vi.restoreAllMocks()
      expect([await isOpen(own, 100), await isOpen(own, day + 100)]).toEqual([true, true])
    },
  )
})
