/** Tokens that a managed session has left behind, and sessions that began before their overall time was shortened. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") }))
afterEach(() => void vi.useRealTimers())

it("the token before the last one opens nothing, however soon the next ones came", {
  tags: ["threat:SF-08"],
}, async () => {
  const world = await makeWorld({ strategy: "jwt", config: { features: [managedSessions()] } })
  const browser = world.browser()
  await world.signInByMail(browser, "ada@app.test")
  const first = world.browser()
  first.setCookie(sessionCookie, browser.cookie(sessionCookie) ?? "")
  await browser.post("/auth/sessions", { end: "others" })
  expect(await first.session()).not.toBeNull()
  await browser.post("/auth/sessions", { end: "others" })
  expect(await first.session()).toBeNull()
  expect(await browser.session()).not.toBeNull()
})

it.each(["jwt", "database"] as const)(
  "a session ends by the overall time that is configured now, %s",
  {
    tags: ["threat:V7-09"],
  },
  async (strategy) => {
    const adapter = memoryAdapter()
    const openWith = (overallMaxAge: number) =>
      makeWorld({
        adapter,
        config: { features: [managedSessions()], session: { strategy, overallMaxAge, updateAge: 0 } },
      })
    const before = await openWith(20 * 24 * 60 * 60)
    const browser = before.browser()
    await before.signInByMail(browser, "ada@app.test")
    const after = await openWith(60 * 60)
    const moved = after.browser()
    moved.setCookie(sessionCookie, browser.cookie(sessionCookie) ?? "")
    expect(await moved.session()).not.toBeNull()
    vi.setSystemTime("2026-03-01T13:00:01Z")
    moved.setCookie(sessionCookie, browser.cookie(sessionCookie) ?? "")
    expect(await moved.session()).toBeNull()
  },
)

it("a session from before they were managed ends with all of those, database strategy", {
  tags: ["threat:SF-08"],
}, async () => {
  const { deleteSessionsByUserId: _, ...adapter } = memoryAdapter()
  const before = await makeWorld({ adapter, strategy: "database" })
  const browser = before.browser()
  await before.signInByMail(browser, "ada@app.test")
  const sessions = managedSessions()
  const session = { strategy: "database", updateAge: 0 } as const
  const after = await makeWorld({ adapter, config: { features: [sessions], session } })
  vi.setSystemTime("2026-03-01T12:00:10Z")
  await sessions.endAll(after.auth, (await adapter.getUserByEmail?.("ada@app.test"))?.id ?? "")
  const moved = after.browser()
  moved.setCookie(sessionCookie, browser.cookie(sessionCookie) ?? "")
  expect(await moved.session()).toBeNull()
})
