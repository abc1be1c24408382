/** Requests put together at random, through the bridge. */
import { expect, it } from "vitest"
import { expectAnswers, timeout } from "../../core/test/attack/support/any-bridge.js"
import { application, stage } from "./support/application.js"

it("answers whatever is sent, leads to no other host, and signs nobody in", { timeout }, async () => {
  const { handle } = application()
  await expectAnswers({
    async send({ target, method, headers, body }) {
      const staged = stage(new Request(`https://app.test${target}`, { method, headers, ...(body && { body }) }))
      const answer = await handle({ event: staged.event, resolve: async () => new Response("page") })
      for (const { name, value } of staged.set)
        expect([name.includes("session-token"), value === ""]).not.toEqual([true, false])
      return answer
    },
  })
})
