import { describe, expect, it } from "vitest"
import { createTurns, retry, within } from "./turns.js"

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe("createTurns", () => {
  it("runs works one after the other, also after a failure", async () => {
    const turns = createTurns()
    const seen: string[] = []
    const work =
      (name: string, fails = false) =>
      async (): Promise<void> => {
        seen.push(`${name} begins`)
        await pause(1)
        seen.push(`${name} ends`)
        if (fails) throw new Error(name)
      }
    await Promise.allSettled([turns(work("a")), turns(work("b", true)), turns(work("c"))])
    expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
  })
})

describe("retry", () => {
  const isBusy = (error: unknown): boolean => String(error).includes("busy")

  it("tries again while somebody else holds the lock", { tags: ["threat:FD-17"] }, async () => {
    let calls = 0
    const work = async (): Promise<number> => {
      calls += 1
      if (calls < 4) throw new Error("busy")
      return calls
    }
    expect(await retry(work, { isBusy, patience: 1000 })).toBe(4)
  })

  it("gives up when the patience has ended", { tags: ["threat:FD-17"] }, async () => {
    const work = async (): Promise<never> => {
      throw new Error("busy")
    }
    await expect(retry(work, { isBusy, patience: 10 })).rejects.toThrow("busy")
  })

  it("does not try again after any other error", async () => {
    let calls = 0
    const work = async (): Promise<never> => {
      calls += 1
      throw new Error("broken")
    }
    await expect(retry(work, { isBusy, patience: 1000 })).rejects.toThrow("broken")
    expect(calls).toBe(1)
  })
})

describe("within", () => {
  it("hands on what the work answers", async () => {
    expect(
      await within(
        (work) => work(),
        async () => 7,
        10,
      ),
    ).toBe(7)
  })

  it("never begins the work when its turn comes too late", { tags: ["threat:FD-16"] }, async () => {
    let begun = false
    const enter = async <T>(work: () => Promise<T>): Promise<T> => {
      await pause(20)
      return work()
    }
    const work = async (): Promise<void> => {
      begun = true
    }
    await expect(within(enter, work, 5)).rejects.toThrow("within 5 ms")
    await pause(30)
    expect(begun).toBe(false)
  })

  it("lets a work that has begun take its time", async () => {
    const work = async (): Promise<string> => {
      await pause(20)
      return "done"
    }
    expect(await within((begin) => begin(), work, 5)).toBe("done")
  })
})
