import { CompiledQuery } from "kysely"
import { describe, expect, it } from "vitest"
import { writesExactly } from "./mysql-instants.js"

const writing = CompiledQuery.raw("insert into t values (from_unixtime(cast(? as decimal(20, 3))))", ["1792888200.000"])

/** Writes twice on a session in these zones, which represents the first instant only; says the zone of each. */
async function written(zone: string, host: string): Promise<readonly string[]> {
  const zones: string[] = []
  const [run, answers] = [writesExactly(), [1, 0]]
  let isUtc = false
  const execute = async ({ sql }: CompiledQuery) => {
    if (sql.startsWith("select")) return { rows: [{ exact: answers.shift(), zone, host }] }
    if (sql.startsWith("set")) isUtc = !isUtc
    else zones.push(isUtc ? "UTC" : "session")
    return { rows: [] }
  }
  for (let round = 0; round < 2; round += 1) await run({ execute, isStuck: () => false }, writing)
  return zones
}

describe("an instant that the zone of the session cannot represent", { tags: ["threat:FD-20"] }, () => {
  it.each([
    ["SYSTEM", "CET"],
    // As a host in London is called in winter.
    ["SYSTEM", "GMT"],
    ["Europe/London", "UTC"],
  ])("is written in UTC, after another one: %s, %s", async (zone, host) => {
    expect(await written(zone, host)).toEqual(["session", "UTC"])
  })

  it.each([
    ["SYSTEM", "UTC"],
    ["+00:00", "GMT"],
    ["-05:00", "EST"],
    ["UTC", "CET"],
  ])("is not looked for in a zone without daylight saving: %s, %s", async (zone, host) => {
    expect(await written(zone, host)).toEqual(["session", "session"])
  })
})
