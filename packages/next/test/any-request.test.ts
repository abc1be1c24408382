/** Requests put together at random, through the bridge: each is answered, leads to no other host, and signs nobody in. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { headers, method, parameters, path } from "../../core/test/attack/support/fragments.js"
import { NextAuth } from "../src/index.js"
import { config, requestOf, sent } from "./support/application.js"

const numRuns = Number(process.env["LATCHKEY_FUZZ"] ?? 300)

it("answers whatever is sent, leads to no other host, and signs nobody in", {
  timeout: 20_000 + numRuns * 100,
}, async () => {
  const { handlers, proxy } = NextAuth(config())
  const anything = fc.record({ method, path, query: parameters, headers, fields: parameters })
  await fc.assert(
    fc.asyncProperty(anything, async ({ method: verb, path: target, query, headers: given, fields }) => {
      const isBodied = !["GET", "HEAD"].includes(verb)
      const address = `${target.replace(/^\/auth/, "/api/auth")}?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`
      const body = new URLSearchParams(fields.map(([name, value]) => [name, value]))
      const all = sent()
      for (const [name, value] of Object.entries(given)) if (name.toLowerCase() !== "host") all.set(name, value)
      const make = () => requestOf(address, all, { method: verb, ...(isBodied && { body }) })
      await proxy(make())
      const answer = await handlers.POST(make())
      expect(answer.status).toBeLessThan(500)
      const location = answer.headers.get("location")
      if (location !== null) expect(new URL(location, "https://app.test").host).toMatch(/^(?:app\.test|github\.com)$/)
      for (const line of answer.headers.getSetCookie()) expect(line).not.toMatch(/session-token=[^;]/)
    }),
    { numRuns },
  )
})
