/** Upstash's client for Redis over HTTP. */
import { redisAdapter } from "@latchkey/redis-adapter"
import { expect, it } from "vitest"
import { loadDrivers } from "./fixture.js"

it("is refused by name, with the address that works in its place", async () => {
  const { upstash } = await loadDrivers()
  const client = upstash("https://example.upstash.io") as never
  expect(() => redisAdapter({ client })).toThrow(/Received a client of "@upstash\/redis".*rediss:\/\//)
})
