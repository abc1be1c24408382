import { describe, expect, it } from "vitest"
import { checkServer, problemsOf } from "./health.js"
import { createKeys } from "./keys.js"

const well = { maxmemory_policy: "noeviction", role: "master", aof_enabled: "1", redis_version: "7.0.15" }
const findings = (settings: object): string => problemsOf(new Map(Object.entries({ ...well, ...settings }))).join("\n")

describe("problemsOf", () => {
  it("finds nothing in a healthy server, or in an empty reply", () => {
    expect(findings({})).toBe("")
    expect(problemsOf(new Map())).toEqual([])
  })

  it.each([
    [{ maxmemory_policy: "allkeys-lru" }, 'maxmemory-policy is "allkeys-lru"'],
    [{ maxmemory_policy: "volatile-ttl" }, "noeviction"],
    [{ role: "slave" }, "replica"],
    [{ aof_enabled: "0" }, "valid again"],
    [{ redis_version: "6.0.20" }, "6.2 or later"],
    [{ redis_version: "5.0" }, "6.2 or later"],
  ])("of %j says %j", (settings, text) => {
    expect(findings(settings)).toContain(text)
  })

  it("takes later versions", () => {
    expect(findings({ redis_version: "10.0" }) + findings({ redis_version: "6.2.0" })).toBe("")
  })
})

describe("checkServer", () => {
  it("reads the lines of INFO", async () => {
    const text = "# Server\r\nredis_version:7.2.4\r\n\r\n# Memory\r\nmaxmemory_policy:allkeys-lru\r\nrole:master\r\n"
    const connection = { send: async () => text, isSpread: async () => false, close: async () => {} }
    const desk = { connection, keys: createKeys(), onError: () => {} }
    expect(await checkServer(desk)).toEqual([expect.stringContaining("allkeys-lru")])
  })
})
