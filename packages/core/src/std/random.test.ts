import { describe, expect, it } from "vitest"
import { createRandomBytes, randomBytes } from "./random.js"

/** Counts on from where it was: a byte that is handed out twice shows. */
function counting() {
  const draws: number[] = []
  let last = 0
  const fill = (bytes: Uint8Array): void => {
    draws.push(bytes.length)
    bytes.set(bytes.map(() => (last++ % 255) + 1))
  }
  return { draws, random: createRandomBytes(fill) }
}

describe("random bytes", () => {
  it("are as many as were asked for, and others each time", () => {
    const made = Array.from({ length: 500 }, () => Buffer.from(randomBytes(16)).toString("hex"))
    expect(made.every((text) => text.length === 32)).toBe(true)
    expect(new Set(made).size).toBe(500)
  })

  it("are handed out once, in the order in which they were drawn", () => {
    const { random } = counting()
    const lengths = [16, 4, 32, 96, 1, 0, 64]
    expect(lengths.flatMap((length) => [...random(length)])).toEqual(
      Array.from({ length: 213 }, (_, index) => index + 1),
    )
  })

  it("are drawn many at a time, and anew where too few are left", () => {
    const { draws, random } = counting()
    const parts = Array.from({ length: 11 }, () => [...random(100)])
    expect(draws).toEqual([1024, 1024])
    // Never a byte that was handed out before, nor the zero that stands in its place.
    expect(parts.flat()).not.toContain(0)
    expect(parts[10]).toEqual(Array.from({ length: 100 }, (_, index) => ((1024 + index) % 255) + 1))
  })

  it("are drawn for themselves where they are more than that", () => {
    const { draws, random } = counting()
    expect(random(5000)).toHaveLength(5000)
    expect(draws).toEqual([5000])
  })

  it("belong to whoever asked: a change of them changes no others", () => {
    const { random } = counting()
    random(8).fill(0)
    expect([...random(4)]).toEqual([9, 10, 11, 12])
  })

  it("fail where nothing can be drawn, and are drawn again by the next call", () => {
    let isBroken = true
    const random = createRandomBytes((bytes) => {
      if (isBroken) throw new Error("no entropy")
      bytes.fill(7)
    })
    expect(() => random(4)).toThrow("no entropy")
    isBroken = false
    expect([...random(4)]).toEqual([7, 7, 7, 7])
  })
})
