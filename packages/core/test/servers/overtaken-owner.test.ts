/** The owner of an address arrives while an attacker at it is served: transactions of databases do not see each other. */
import { randomBytes } from "node:crypto"
import { sqlAdapter } from "@latchkey/sql-adapter"
import mysql from "mysql2/promise"
import pg from "pg"
import { afterAll, describe } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { arrivals, expectNoLateEntry } from "../support/overtaking.js"

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

/** An adapter on a database of its own. */
async function openAt(server: string, create: (statement: string) => Promise<unknown>) {
  const name = `overtaken_${randomBytes(6).toString("hex")}`
  await create(`create database ${name}`)
  const url = new URL(server)
  url.pathname = name
  const adapter = sqlAdapter({ url: url.href })
  closing.push(() => adapter.close())
  await adapter.migrate()
  return adapter
}

describeServer("postgresql", (url) => {
  describe.each(arrivals)("when the owner comes by $way, with sessions of $strategy", (arrival) => {
    expectNoLateEntry(arrival, () =>
      openAt(url, async (statement) => {
        const client = new pg.Client({ connectionString: url })
        await client.connect()
        await client.query(statement)
        await client.end()
      }),
    )
  })
})

describeServer("mariadb", (url) => {
  describe.each(arrivals)("when the owner comes by $way, with sessions of $strategy", (arrival) => {
    expectNoLateEntry(arrival, () =>
      openAt(url, async (statement) => {
        const connection = await mysql.createConnection(url)
        await connection.query(statement)
        await connection.end()
      }),
    )
  })
})
