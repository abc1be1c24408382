/** Requests put together at random, through the bridge: each is answered, leads to no other host, and signs nobody in. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { headers, method, parameters, path } from "../../core/test/attack/support/fragments.js"
import { appOf } from "./support/app.js"

const numRuns = Number(process.env["LATCHKEY_FUZZ"] ?? 300)

it("answers whatever is sent, leads to no other host, and signs nobody in", {
  timeout: 20_000 + numRuns * 100,
}, async () => {
  const app = appOf()
  const anything = fc.record({ method, path, query: parameters, headers, fields: parameters })
  await fc.assert(
    fc.asyncProperty(anything, async ({ method: verb, path: target, query, headers: given, fields }) => {
      const isBodied = !["GET", "HEAD"].includes(verb)
      const address = `https://app.test${target}?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`
      const request = new Request(address, {
        method: verb,
        headers: given,
        ...(isBodied && { body: new URLSearchParams(fields.map(([name, value]) => [name, value])) }),
      })
      const answer = await app.fetch(request)
      expect(answer.status).toBeLessThan(500)
      const location = answer.headers.get("location")
      if (location !== null) expect(new URL(location, "https://app.test").host).toBe("app.test")
      for (const line of answer.headers.getSetCookie()) expect(line).not.toMatch(/session-token=[^;]/)
    }),
    { numRuns },
  )
})
