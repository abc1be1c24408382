/** Requests put together at random, through the bridge: the proxy first, then the route handler. */
import { it } from "vitest"
import { expectAnswers, timeout } from "../../core/test/attack/support/any-bridge.js"
import { NextAuth } from "../src/index.js"
import { config, requestOf, sent } from "./support/application.js"

it("answers whatever is sent, leads to no other host, and signs nobody in", { timeout }, async () => {
  const { handlers, proxy } = NextAuth(config())
  await expectAnswers({
    hosts: /^(?:app\.test|github\.com)$/,
    async send({ target, method, headers, body }) {
      const all = sent()
      for (const [name, value] of Object.entries(headers)) if (name.toLowerCase() !== "host") all.set(name, value)
      const make = () => requestOf(target.replace(/^\/auth/, "/api/auth"), all, { method, ...(body && { body }) })
      await proxy(make())
      return handlers.POST(make())
    },
  })
})
