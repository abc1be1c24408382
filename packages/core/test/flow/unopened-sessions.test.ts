/** A changed secret signs everybody out: the log says so, once a minute. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { makeWorld } from "../support/world.js"

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }))
afterEach(() => void vi.useRealTimers())

const cookie = "__Secure-authjs.session-token"

it("a session that was made with another secret is reported, once a minute at most, and its owner is signed out", async () => {
  const before = await makeWorld({ strategy: "jwt" })
  const visitor = before.browser()
  await before.signInAtOp(visitor)
  const kept = visitor.cookie(cookie) ?? ""

  const world = await makeWorld({ strategy: "jwt", config: { secret: "the-secret-that-replaced-the-first-one" } })
  const visit = async (value: string): Promise<unknown> => {
    const browser = world.browser()
    browser.setCookie(cookie, value)
    return browser.session()
  }
  for (const value of [kept, "garbage", kept]) expect(await visit(value)).toBeNull()
  expect(world.errors.map(({ name }) => name)).toEqual(["JWTSessionError"])
  expect(world.errors[0]?.message).toContain("could not be decrypted with the configured secrets")
  vi.advanceTimersByTime(59_000)
  await visit(kept)
  expect(world.errors).toHaveLength(1)
  vi.advanceTimersByTime(2_000)
  await visit(kept)
  expect(world.errors).toHaveLength(2)
})

it("a session that has merely expired is not reported", async () => {
  const world = await makeWorld({ strategy: "jwt", config: { session: { maxAge: 60 } } })
  const browser = world.browser()
  await world.signInAtOp(browser)
  const kept = browser.cookie(cookie) ?? ""
  vi.advanceTimersByTime(3_600_000)
  const later = world.browser()
  later.setCookie(cookie, kept)
  expect(await later.session()).toBeNull()
  expect(world.errors).toEqual([])
})
