/** MySQL and MariaDB with `innodb_rollback_on_timeout`: a statement that waited too long for a lock ends the transaction. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import type { PoolConnection } from "mysql2"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { mysqlPool, newMariadb, opened, type TestDatabase } from "../support/databases.js"
import { ada, expires } from "../support/people.js"

type Answer = (error: Error | null, result?: unknown) => void

/** Lets the statement that sets this name time out, as that setting has it: the server rolls back all of the transaction. */
function timesOut(connection: PoolConnection, name: string): void {
  const execute: (options: { values: unknown[] }, answer: Answer) => unknown = connection.execute.bind(
    connection,
  ) as never
  const failing = (options: { values: unknown[] }, answer: Answer): unknown => {
    if (!options.values.includes(name)) return execute(options, answer)
    const error = Object.assign(new Error("Lock wait timeout exceeded"), { code: "ER_LOCK_WAIT_TIMEOUT" })
    return connection.query("rollback", () => answer(error))
  }
  Object.assign(connection, { execute: failing })
}

async function adapterOn(database: TestDatabase): Promise<ReturnType<typeof sqlAdapter>> {
  await opened(database.url, { migrate: "auto" }).createUser(ada)
  const pool = mysqlPool(database.url, { connectionLimit: 1 })
  pool.on("connection", (connection) => timesOut(connection, "late"))
  return sqlAdapter(pool)
}

describeServer("mariadb", (server) => {
  it("nothing that follows in the transaction is written without the rest", async () => {
    const database = await newMariadb(server)
    const adapter = await adapterOn(database)
    const work = adapter.transaction(async (within) => {
      await within.updateUser?.({ id: "1", name: "first" })
      await expect(within.updateUser?.({ id: "1", name: "late" })).rejects.toThrow("Lock wait timeout")
      await within.createSession?.({ sessionToken: "after", userId: "1", expires })
    })
    await expect(work).rejects.toThrow()
    expect(await database.rows("select id from sessions")).toEqual([])
    expect(await database.rows("select name from users")).toEqual([{ name: null }])
  })

  it("nor what follows a work of its own inside", async () => {
    const database = await newMariadb(server)
    const adapter = await adapterOn(database)
    const work = adapter.transaction(async (within) => {
      await within.updateUser?.({ id: "1", name: "first" })
      const inside = within.transaction?.(async (inner) => inner.updateUser?.({ id: "1", name: "late" }))
      await expect(inside).rejects.toThrow("Lock wait timeout")
      await within.createSession?.({ sessionToken: "after", userId: "1", expires })
    })
    await expect(work).rejects.toThrow()
    expect(await database.rows("select id from sessions")).toEqual([])
    expect(await database.rows("select name from users")).toEqual([{ name: null }])
  })
})
