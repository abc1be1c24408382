/** A store that stops answering signs nobody out: the read is refused, the cookie stays, and the session goes on afterwards. */
import { redisAdapter } from "@latchkey/redis-adapter"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { startRedis } from "../../../../tools/servers/redis.js"
import type { Server } from "../../../../tools/servers/server.js"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

// The shared server stays as it is: this file freezes one of its own.
describeServer("redis", () => {
  let server: Server
  beforeAll(async () => {
    server = await startRedis({ isForgetful: true })
  })
  afterAll(() => server?.stop())

  describe.each(["jwt", "database"] as const)("managed sessions of the %s strategy in a frozen Redis", (strategy) => {
    it("are refused with 503, keep their cookie, and are there again when it goes on", async () => {
      const adapter = redisAdapter({ url: server.url }, { prefix: `frozen-${strategy}`, timeout: 1000 })
      const features = [managedSessions()]
      const world = await makeWorld({ adapter, config: { features, session: { strategy } } })
      const browser = world.browser()
      await world.signInByMail(browser, "ada@app.test")
      const cookie = browser.cookie(sessionCookie)
      expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })

      server.pause()
      try {
        const refused = await Promise.all([browser.get("/auth/session"), browser.get("/auth/sessions")])
        expect(refused.map(({ status, setCookies }) => [status, setCookies])).toEqual([
          [503, []],
          [503, []],
        ])
      } finally {
        server.resume()
      }

      expect(browser.cookie(sessionCookie)).toBe(cookie)
      await expect.poll(async () => (await browser.get("/auth/session")).status, { timeout: 10_000 }).toBe(200)
      expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
      await adapter.close()
    })
  })
})
