/** A table of sessions that keeps whole seconds: a row that was rounded up outlives its record, and is no session from before for it. */
import { describe, expect, it } from "vitest"
import type { Adapter } from "../../src/types/adapter.js"
import type { AuthConfig } from "../../src/types/config.js"
import { managedStage } from "../support/managed-stage.js"

const [hour, day] = [3600, 86_400]

const toWhole = <T extends { expires?: Date }>(row: T): T =>
  row.expires ? { ...row, expires: new Date(Math.round(row.expires.getTime() / 1000) * 1000) } : row

/** As with `timestamp(0)` of PostgreSQL or `datetime` of MySQL; the row is answered as it was given. */
function rounding(session: AuthConfig["session"]) {
  const over = (adapter: Required<Adapter>): Adapter => ({
    createSession: async (row) => ({ ...row, ...(await adapter.createSession(toWhole(row))), expires: row.expires }),
    updateSession: (patch) => adapter.updateSession(toWhole(patch)),
  })
  return managedStage({ strategy: "database", over, config: { session: session ?? {} } })
}

describe("where rows are rounded to whole seconds", { tags: ["threat:SF-10"] }, () => {
  it("a token that was replaced opens nothing after the half minute, and for no day after that", async () => {
    const { newUser, signIn, rotate, isOpen } = rounding({})
    const before = await signIn(await newUser("ada@app.test"))
    // 0.7 s after a full second the row ends 0.3 s after its record.
    const at = 2 * day + 0.7
    const after = (await rotate(before, at)) ?? {}
    expect(await isOpen(before, at + 29)).toBe(true)
    for (const seconds of [30.05, 30.25, 31, day, 20 * day, 45 * day])
      expect([seconds, await isOpen(before, at + seconds)]).toEqual([seconds, false])
    expect(await isOpen(after, at + day)).toBe(true)
  })

  it("a session that nobody used for its time has ended, and its overall limit does not begin anew", {
    tags: ["threat:V7-09"],
  }, async () => {
    const { newUser, signIn, isOpen } = rounding({ maxAge: 8 * hour, updateAge: 60, overallMaxAge: day })
    const cookies = await signIn(await newUser("ada@app.test"), { seconds: 0.7 })
    const last = 15 * hour - 60 + 0.7
    for (const at of [7 * hour, last]) expect([at, await isOpen(cookies, at)]).toEqual([at, true])
    const end = last + 8 * hour
    await isOpen(cookies, end + 0.15)
    for (const seconds of [0.25, 60, 7 * hour])
      expect([seconds, await isOpen(cookies, end + seconds)]).toEqual([seconds, false])
  })

  it("a session from before they were managed goes on, where it has seconds left", async () => {
    const { newUser, signIn, isOpen } = rounding({ maxAge: 8 * hour, updateAge: 60 })
    const cookies = await signIn(await newUser("ada@app.test"), { seconds: 0.7 }, null)
    expect(await isOpen(cookies, 8 * hour - 2)).toBe(true)
    expect(await isOpen(cookies, 15 * hour)).toBe(true)
  })
})
