/** The clock moves `Date` for everybody in the process, and gives it back. */
import { createAuth } from "@latchkey/core"
import { afterEach, describe, expect, it } from "vitest"
import { type Clock, createClock, signInAs } from "../src/index.js"
import { makeApplication, strategies } from "./support/application.js"

let clock: Clock | undefined
afterEach(() => clock?.restore())

const day = 86_400_000
const made = (): Date => new Date()

describe("a clock", () => {
  it("moves what everybody reads, and goes on", async () => {
    const before = Date.now()
    clock = createClock()
    clock.advance({ days: 1, hours: 1, minutes: 1, seconds: 1 })
    const moved = Date.now() - before
    expect(moved).toBeGreaterThanOrEqual(day + 3_661_000)
    expect(moved).toBeLessThan(day + 3_661_000 + 60_000)
    expect(Math.abs(made().getTime() - clock.now().getTime())).toBeLessThan(1000)
    expect(Date()).toBe(new Date().toString())
    expect(new Date(0).toISOString()).toBe("1970-01-01T00:00:00.000Z")
    expect(new Date(2026, 0, 2).getDate()).toBe(2)
  })

  it("is set to a date, and refuses what is none", () => {
    const real = Date
    clock = createClock("2030-01-01T00:00:00Z")
    expect(new Date().getUTCFullYear()).toBe(2030)
    clock.set(new Date("2031-06-01T00:00:00Z"))
    expect(new Date().toISOString()).toContain("2031-06-01")
    expect(() => clock?.set("yesterday")).toThrow("expects a date")
    expect(new real() instanceof Date).toBe(true)
    expect(new (class extends Date {})() instanceof Date).toBe(true)
    clock.restore()
    expect(Date).toBe(real)
    expect(Math.abs(Date.now() - made().getTime())).toBeLessThan(1000)
  })

  it.each(strategies)("lets a session of the strategy %s end", async (strategy) => {
    const { config } = makeApplication(strategy)
    const auth = createAuth(config, { env: {} })
    const { headers } = await signInAs(auth, { email: "ada@app.test" })
    const isIn = async (): Promise<boolean> =>
      (await auth.session({ url: "http://localhost:3000", headers: new Headers(headers) }, { extend: false }))
        .session !== null
    clock = createClock()
    clock.advance({ days: 29 })
    expect(await isIn()).toBe(true)
    clock.advance({ days: 2 })
    expect(await isIn()).toBe(false)
  })
})
