/** Reading the session never writes who somebody is: it creates, changes and links no user. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { sessionCookie } from "../support/journeys.js"
import { watched } from "../support/watched.js"
import { makeWorld } from "../support/world.js"

/** What changes a user, or what a user signs in with. */
const writing = /^(?:create(?!Session)|updateUser|updateAuthenticator|deleteUser|link|unlink)/

describe.each(["jwt", "database"] as const)("with sessions of %s", (strategy) => {
  it.each(["somebody who is signed in", "a user who was deleted", "a forged session", "nobody"])(
    "for %s",
    { tags: ["threat:SF-17"] },
    async (who) => {
      const inner = memoryAdapter()
      const { adapter, calls } = watched(inner)
      const world = await makeWorld({ adapter, strategy, config: { session: { strategy, updateAge: 0 } } })
      const browser = world.browser()
      await world.signInByMail(browser, "ada@app.test")
      const user = await inner.getUserByEmail?.("ada@app.test")
      if (who === "a user who was deleted") await inner.deleteUser?.(String(user?.id))
      if (who === "a forged session") browser.setCookie(sessionCookie, "made-up")
      if (who === "nobody") browser.jar.clear()
      calls.length = 0
      world.events.length = 0
      const visits = [await browser.send("/auth/session?email=eve@app.test&id=eve", { method: "HEAD" })]
      for (const path of ["session", "providers", "csrf", "signin"]) visits.push(await browser.get(`/auth/${path}`))
      // A sealed session stays until its end, whatever becomes of its user.
      const isSignedIn = who === "somebody who is signed in" || (strategy === "jwt" && who === "a user who was deleted")
      // What fails before it writes would write nothing either.
      expect(visits.map(({ status }) => status)).toEqual(visits.map(() => 200))
      expect(visits[1]?.text).toMatch(isSignedIn ? /ada@app\.test/ : /^null$/)
      expect(calls.map(({ operation }) => operation).filter((operation) => writing.test(operation))).toEqual([])
      expect(world.events.map(([name]) => name).filter((name) => name !== "session")).toEqual([])
    },
  )
})
