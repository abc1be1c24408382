import { CompiledQuery } from "kysely"
import { describe, expect, it } from "vitest"
import { writesExactly } from "../dialects/mysql-instants.js"
import { connectionOn, exact } from "./connection.js"

const writing = CompiledQuery.raw("insert into t values (from_unixtime(cast(? as decimal(20, 3))))", ["1792888200.000"])

/** Writes an instant three times; says how often the zone of the session was asked for. */
async function questions(isAlone: boolean): Promise<number> {
  let asked = 0
  const execute = async ({ sql }: CompiledQuery) => {
    if (!sql.startsWith("select")) return { rows: [] }
    asked += 1
    return { rows: [{ exact: 1, zone: "+00:00", host: "CET" }] }
  }
  const { hold } = exact({
    connections: { hold: (work, holding) => work(connectionOn(execute, holding)) },
    dialect: { exactly: writesExactly },
    isAlone,
  })
  for (let round = 0; round < 2; round += 1) await hold((connection) => connection.execute(writing), {} as never)
  await hold(async (connection) => {
    await connection.execute(writing)
    await connection.execute(writing)
  }, {} as never)
  return asked
}

describe("the zone of a session", { tags: ["threat:FD-20"] }, () => {
  it("is asked for once on connections that nobody else uses", async () => {
    expect(await questions(true)).toBe(1)
  })

  it("is asked for each time that a connection of the application is held", async () => {
    expect(await questions(false)).toBe(3)
  })
})
