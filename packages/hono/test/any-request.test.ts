/** Requests put together at random, through the bridge. */
import { it } from "vitest"
import { expectAnswers, timeout } from "../../core/test/attack/support/any-bridge.js"
import { appOf } from "./support/app.js"

it("answers whatever is sent, leads to no other host, and signs nobody in", { timeout }, async () => {
  const app = appOf()
  await expectAnswers({
    send: async ({ target, method, headers, body }) =>
      app.fetch(new Request(`https://app.test${target}`, { method, headers, ...(body && { body }) })),
  })
})
