/** Signing out ends a session under every token it has had: neither the newest nor the one before opens anything afterwards. */
import { describe, expect, it } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

async function rotated(strategy: "jwt" | "database") {
  const sessions = managedSessions()
  const world = await makeWorld({ strategy, config: { features: [sessions] } })
  const browser = world.browser()
  await world.signInByMail(browser, "ada@app.test")
  const copyOf = (from: TestBrowser): TestBrowser => {
    const copy = world.browser()
    copy.setCookie(sessionCookie, from.cookie(sessionCookie) ?? "")
    return copy
  }
  const before = copyOf(browser)
  await browser.post("/auth/sessions", { end: "others" })
  return { world, before, after: copyOf(browser), browser }
}

describe.each(["jwt", "database"] as const)(
  "after a new token and a sign-out, %s strategy",
  { tags: ["threat:SF-08"] },
  (strategy) => {
    it("the token before it opens nothing", async () => {
      const { before, browser } = await rotated(strategy)
      expect(await before.session()).not.toBeNull()
      await browser.post("/auth/signout")
      expect(await before.session()).toBeNull()
    })

    it("the new token opens nothing where the old one was signed out", async () => {
      const { before, after } = await rotated(strategy)
      await before.post("/auth/signout")
      expect(await after.session()).toBeNull()
    })

    it("the token before it opens nothing where somebody else has signed in", async () => {
      const { world, before, browser } = await rotated(strategy)
      await world.signInByMail(browser, "grace@app.test")
      expect(await before.session()).toBeNull()
    })
  },
)
