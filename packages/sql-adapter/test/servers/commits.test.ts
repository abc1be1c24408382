/** Commits that the database refuses because a lock is held: it has ended the transaction by then, and written nothing. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { createConnection } from "mysql2/promise"
import pg from "pg"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { afterwards, mysqlPool, newMariadb, newPostgresql, opened } from "../support/databases.js"
import { ada } from "../support/people.js"

describeServer("mariadb", (server) => {
  it("a backup that holds every commit back is waited for, and what was reported as written is there", async () => {
    const database = await newMariadb(server)
    await opened(database.url, { migrate: "auto" }).createUser(ada)
    const adapter = sqlAdapter(mysqlPool(database.url, {}, "set session lock_wait_timeout = 1"))
    const backup = await createConnection(server)
    afterwards(() => backup.end())
    let tries = 0
    await adapter.transaction(async (within) => {
      tries += 1
      await within.updateUser?.({ id: "1", name: "Ada Lovelace" })
      if (tries > 1) return
      await backup.query("flush tables with read lock")
      setTimeout(() => void backup.query("unlock tables"), 1500)
    })
    expect(await database.rows("select name from users")).toEqual([{ name: "Ada Lovelace" }])
    expect(tries).toBe(2)
  }, 20_000)
})

describeServer("postgresql", (server) => {
  it("a check at the end of the transaction that meets a lock is made again, and what was reported as written is there", async () => {
    const database = await newPostgresql(server)
    const adapter = opened(database.url, { migrate: "auto" })
    await adapter.createUser(ada)
    await database.run(
      "create table seats (id int)",
      "insert into seats values (1)",
      `create function seat() returns trigger language plpgsql as
        'begin perform 1 from seats for update nowait; return null; end'`,
      "create constraint trigger seated after update on users deferrable initially deferred for each row execute function seat()",
    )
    const other = new pg.Client({ connectionString: database.url })
    await other.connect()
    afterwards(() => other.end())
    let tries = 0
    await adapter.transaction(async (within) => {
      tries += 1
      await within.updateUser?.({ id: "1", name: "Ada Lovelace" })
      await other.query(tries === 1 ? "begin; select 1 from seats for update" : "rollback")
    })
    expect(await database.rows("select name from users")).toEqual([{ name: "Ada Lovelace" }])
    expect(tries).toBe(2)
  })
})
