/** Functions that are loaded when they are called. */
import { describe, expect, it } from "vitest"
import { fromModule } from "./lazy.js"

describe("a function from a module", () => {
  it("is loaded by the first call, with what that was given, and by no other", async () => {
    let loads = 0
    const add = fromModule(
      async () => {
        loads += 1
        return { add: async (a: number, b: number) => a + b }
      },
      ({ add }) => add,
    )
    expect(loads).toBe(0)
    expect(await add(1, 2)).toBe(3)
    expect(await add(3, 4)).toBe(7)
    expect(loads).toBe(1)
  })

  it("is asked for again after its module could not be loaded", async () => {
    const modules = [Promise.reject(new Error("not found")), Promise.resolve({ one: async () => 1 })]
    const one = fromModule(
      () => modules.shift() as Promise<{ one: () => Promise<number> }>,
      ({ one }) => one,
    )
    await expect(one()).rejects.toThrow("not found")
    expect(await one()).toBe(1)
  })

  it("passes on what the function throws", async () => {
    const fail = fromModule(
      async () => ({
        async fail(): Promise<never> {
          throw new Error("thrown inside")
        },
      }),
      ({ fail }) => fail,
    )
    await expect(fail()).rejects.toThrow("thrown inside")
    await expect(fail()).rejects.toThrow("thrown inside")
  })
})
