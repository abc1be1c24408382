/** A policy that the sign-in which was just made does not meet: people go round in circles, and the log says so. */
import { describe, expect, it } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import type { Policy } from "../../src/types/session-facts.js"
import { makeWorld } from "../support/world.js"

const askedAgain = "/auth/signin?error=SessionRequired"

async function open(strategy: "jwt" | "database", policy: Policy | undefined, authTime?: number) {
  const features = [managedSessions({ policy })]
  const world = await makeWorld({ adapter: memoryAdapter(), config: { features, session: { strategy } } })
  if (authTime !== undefined) world.op.idToken = { auth_time: Math.floor(Date.now() / 1000) - authTime }
  const browser = world.browser()
  await world.signInAtOp(browser)
  return { world, browser }
}

describe.each(["jwt", "database"] as const)("a policy, %s strategy", (strategy) => {
  it.each([
    ["the provider asked the person too long ago", undefined, 3600],
    ["the provider says nothing of when it asked", { maxAge: 900 }, undefined],
    ["no sign-in is that strong", { acr: "mfa" as const }, 0],
  ])("that a new session does not meet is in the log when it is asked for: %s", async (_, policy, authTime) => {
    const { world, browser } = await open(strategy, policy, authTime)
    world.warnings.length = 0
    await browser.get(askedAgain)
    expect(world.warnings).toEqual(["policy-out-of-reach"])
    const answer = await browser.post("/auth/sessions", { end: "others" })
    expect([answer.status, world.warnings.length]).toEqual([401, 2])
  })

  it.each([
    ["a sign-in meets", undefined, 10],
    ["a sign-in meets that says no time, where that is enough", { maxAge: 900, passive: true }, undefined],
  ])("that %s is not in the log", async (_, policy, authTime) => {
    const { world, browser } = await open(strategy, policy, authTime)
    await browser.get(askedAgain)
    expect(world.warnings).not.toContain("policy-out-of-reach")
  })
})
