import { describe, expect, it, vi } from "vitest"
import { within } from "./deadline.js"

const tooLate = (): Error => new Error("too late")

describe("within", () => {
  it("returns an immediate value at once, without a timer", async () => {
    const timer = vi.spyOn(globalThis, "setTimeout")
    expect(await within(10, () => 7, { tooLate })).toBe(7)
    expect(timer).not.toHaveBeenCalled()
    timer.mockRestore()
  })

  it("waits for what comes in time, and passes on what is thrown", async () => {
    expect(await within(1000, async () => 7, { tooLate })).toBe(7)
    await expect(within(1000, () => Promise.reject(new Error("boom")), { tooLate })).rejects.toThrow("boom")
    const thrower = (): never => {
      throw new Error("at once")
    }
    await expect(within(1000, thrower, { tooLate })).rejects.toThrow("at once")
  })

  it("ends in time, and reports what came afterwards", async () => {
    const late = vi.fn()
    const slow = new Promise<number>((resolve) => setTimeout(resolve, 30, 7))
    await expect(within(5, () => slow, { tooLate, late })).rejects.toThrow("too late")
    await slow
    expect(late.mock.calls).toEqual([[{ kind: "answered" }]])
  })

  it("waits for ever where no time is given, and longer than a timer can run", async () => {
    const slow = (): Promise<number> => new Promise((resolve) => setTimeout(resolve, 20, 7))
    expect(await within(undefined, slow, { tooLate })).toBe(7)
    expect(await within(1e15, slow, { tooLate })).toBe(7)
  })

  it("treats a thenable whose member cannot be read as a failure", { tags: ["threat:CF2-13"] }, async () => {
    const broken = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no")
        },
      },
    )
    await expect(within(10, () => broken, { tooLate })).rejects.toThrow("no")
  })
})
