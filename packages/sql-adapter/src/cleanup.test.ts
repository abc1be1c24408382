import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { readCleanup, startCleanup } from "./cleanup.js"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("cleanup in the background", () => {
  it("removes at every interval, until it is stopped", async () => {
    const remove = vi.fn(async () => undefined)
    const { stop } = startCleanup({ interval: 60 }, remove)
    await vi.advanceTimersByTimeAsync(59_999)
    expect(remove).toHaveBeenCalledTimes(0)
    await vi.advanceTimersByTimeAsync(120_001)
    expect(remove).toHaveBeenCalledTimes(3)
    stop()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(remove).toHaveBeenCalledTimes(3)
  })

  it("does not begin while the removal before is at work", async () => {
    let finish: () => void = () => {}
    const remove = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
    startCleanup({ interval: 60 }, remove)
    await vi.advanceTimersByTimeAsync(300_000)
    expect(remove).toHaveBeenCalledTimes(1)
    finish()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(remove).toHaveBeenCalledTimes(2)
  })

  it("hands failures over and goes on", async () => {
    const onError = vi.fn()
    const remove = vi.fn(() => Promise.reject(new Error("The database is down.")))
    startCleanup({ interval: 60, onError }, remove)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(onError.mock.calls.map(([error]) => (error as Error).message)).toEqual([
      "The database is down.",
      "The database is down.",
    ])
  })

  it.each([0, 59, Number.NaN, Number.POSITIVE_INFINITY, 3e6, "60" as unknown as number])(
    "refuses %s seconds",
    (interval) => {
      expect(() => readCleanup({ interval })).toThrow(/"cleanup.interval": expected seconds from 60/)
    },
  )
})
