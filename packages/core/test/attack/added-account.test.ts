/** Somebody holds a session that is not theirs, such as by a stolen cookie: adding an account of their own proves nothing of its user. */
import { softwarePasskey } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { TestBrowser } from "../support/browser.js"
import { registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld, type World } from "../support/world.js"

const ada = "ada@op.test"
const hour = 60 * 60

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") }))
afterEach(() => void vi.useRealTimers())
const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000)

/** The owner in one browser, and an hour later the thief in another, with a session of the owner. */
async function open(strategy: "jwt" | "database", session: object = {}) {
  const world = await makeWorld({
    adapter: memoryAdapter(),
    more: [Passkey()],
    config: {
      features: [managedSessions()],
      experimental: { enableWebAuthn: true },
      session: { strategy, ...session },
    },
  })
  const owner = world.browser()
  await world.signInByMail(owner, ada)
  const thief = world.browser()
  await world.signInByMail(thief, ada)
  pass(hour)
  return { world, owner, thief }
}

const endOthers = async (browser: TestBrowser): Promise<number> =>
  (await browser.post("/auth/sessions", { end: "others" })).status
const key = softwarePasskey()
const ways: readonly (readonly [string, (world: World, browser: TestBrowser) => Promise<unknown>])[] = [
  ["a passkey", (_, browser) => registerPasskey(browser, key)],
  ["an account at a provider", (world, browser) => world.signInAtOp(browser)],
]

describe.each(["jwt", "database"] as const)("%s", (strategy) => {
  it.each(ways)("%s that was added is no sign-in of the last minutes", { tags: ["threat:V7-16"] }, async (_, add) => {
    const { world, owner, thief } = await open(strategy)
    expect(await endOthers(thief)).toBe(401)
    await add(world, thief)
    expect(world.events.map(([name]) => name)).toContain("linkAccount")
    expect(await thief.session()).toMatchObject({ user: { email: ada } })
    expect(await endOthers(thief)).toBe(401)
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
  })

  it.each(ways)("%s that was added puts off no end", async (_, add) => {
    const { world, thief } = await open(strategy, { overallMaxAge: 2 * hour })
    await add(world, thief)
    pass(hour + 60)
    expect(await thief.session()).toBeNull()
  })

  it("a sign-in with a passkey that the user has already is one", async () => {
    const { owner } = await open(strategy)
    await registerPasskey(owner, key)
    await signInByPasskey(owner, key)
    expect(await endOthers(owner)).toBe(200)
  })
})
