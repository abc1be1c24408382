/** The adapter keeps the whole contract: through each kind of client, and with people in another adapter. */

import { appliesTo, contractCases, missingOperations, runCase } from "@latchkey/adapter-contract"
import { combine } from "@latchkey/core/adapters"
import { memoryAdapter } from "@latchkey/core/memory"
import { redisAdapter, redisRecords } from "@latchkey/redis-adapter"
import { sqlAdapter } from "@latchkey/sql-adapter"
import { createClient, createClientPool } from "redis"
import { afterAll, describe, expect, inject, it } from "vitest"
import { freshPrefix } from "./support/redis.js"

type Made = ReturnType<typeof redisAdapter>

const url = inject("redis")
const client = createClient({ url })
const pool = createClientPool({ url })
const ofUrl = redisAdapter({ url }, { prefix: freshPrefix() })
const recordsAlone = redisRecords({ url }, { prefix: freshPrefix() })
const sqlite = sqlAdapter({ filename: ":memory:" })
const sessionsOf = (redis: Made) => ({ sessions: redis, verificationTokens: redis })

afterAll(async () => {
  await ofUrl.close()
  await recordsAlone.close()
  await sqlite.close()
  await pool.close()
  await client.close()
})

const everything = contractCases.map(({ group }) => group)
/** What depends on how commands are sent. */
const traffic = ["sessions", "verification tokens", "concurrency", "records"]

describe.each([
  { on: "an address", make: () => ofUrl, groups: everything, missing: ["transaction"] },
  {
    on: "a client",
    make: () => redisAdapter({ client }, { prefix: freshPrefix() }),
    groups: traffic,
    missing: ["transaction"],
  },
  {
    on: "a pool",
    make: () => redisAdapter({ client: pool }, { prefix: freshPrefix() }),
    groups: traffic,
    missing: ["transaction"],
  },
  {
    on: "memory, with sessions and links in Redis",
    make: () => combine(memoryAdapter(), sessionsOf(ofUrl)),
    groups: everything,
    missing: [],
  },
  {
    on: "memory, with records in Redis",
    make: () => combine(memoryAdapter(), { records: recordsAlone }),
    groups: ["records"],
    missing: [],
  },
  {
    on: "SQLite, with sessions and links in Redis",
    make: () => combine(sqlite, sessionsOf(ofUrl)),
    groups: everything,
    missing: [],
  },
])("the contract on $on [A-009] [A-010] [A-027] [A-044]", ({ make, groups, missing }) => {
  const adapter = make()
  const offered = contractCases.filter(
    (contractCase) =>
      groups.includes(contractCase.group) &&
      appliesTo(contractCase, adapter) &&
      missingOperations(contractCase, adapter).length === 0,
  )

  it("is about every operation but those that cannot be", () => {
    const lacking = Object.keys(memoryAdapter()).filter((operation) => !(operation in adapter))
    expect(lacking).toEqual(missing)
  })

  it.each(offered.map((contractCase) => [`${contractCase.group}: ${contractCase.name}`, contractCase] as const))(
    "%s",
    (_, contractCase) => runCase(contractCase, adapter),
  )
})
