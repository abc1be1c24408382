/** What a copy of a cookie opens once its user is deleted as the guide on people says, where the cookie is from before sessions were managed. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { memoryAdapter } from "../../src/memory.js"
import { managedSessions } from "../../src/sessions.js"
import { openBrowser } from "../support/browser.js"
import { makeWorld } from "../support/world.js"

const week = 7 * 86_400_000

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") }))
afterEach(() => void vi.useRealTimers())
const pass = (milliseconds: number): void => void vi.setSystemTime(Date.now() + milliseconds)

async function scene() {
  const adapter = memoryAdapter()
  const world = await makeWorld({ adapter, strategy: "jwt" })
  const before = world.browser()
  await world.signInByMail(before, "ada@app.test")
  const sessions = managedSessions()
  const auth = createAuth({ ...world.config, features: [sessions] }, { env: {} })
  const id = (await adapter.getUserByEmail?.("ada@app.test"))?.id ?? ""
  pass(60_000)
  const copy = () => {
    const browser = openBrowser(auth.handle)
    for (const [name, { value }] of before.jar) browser.setCookie(name, value)
    return browser
  }
  const endAll = async (): Promise<void> => void (await sessions.endAll(auth, id))
  const remove = async (): Promise<void> => {
    await adapter.deleteSessionsByUserId?.(id)
    await adapter.deleteRecords?.(id, {})
    await adapter.deleteUser?.(id)
  }
  return { adapter, id, copy, endAll, remove }
}

const tags = ["threat:SF-20", "threat:SF-08"]

describe.each(["end, delete", "delete, end", "end, delete, delete"])("%s", (order) => {
  it("opens nothing from then on", { tags }, async () => {
    const { copy, endAll, remove } = await scene()
    expect(await copy().session()).not.toBeNull()
    for (const step of order.split(", ")) await (step === "end" ? endAll() : remove())
    const ghost = copy()
    for (let weeks = 0; weeks < 10; weeks++) {
      expect(await ghost.session()).toBeNull()
      expect(await copy().session()).toBeNull()
      pass(week)
    }
  })
})

it("what stays of the deleted user says nothing of them, and goes", { tags }, async () => {
  const { adapter, id, endAll, remove } = await scene()
  await endAll()
  await remove()
  const left = (await adapter.scanRecords?.("epoch", { limit: 10 })) ?? []
  expect(left).toMatchObject([{ userId: null, expires: new Date("2026-03-31T12:01:00Z") }])
  expect(JSON.stringify(left)).not.toContain(id)
  for (const kind of ["session", "passkey"]) expect(await adapter.scanRecords?.(kind, { limit: 10 })).toEqual([])
})
