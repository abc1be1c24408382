/** Migrations that meet each other, and tables that are in use. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { createConnection } from "mysql2/promise"
import pg from "pg"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { newMariadb, newPostgresql } from "../support/databases.js"

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

describeServer("mariadb", (server) => {
  it("a migration waits for another one, however long that takes", async () => {
    const { url } = await newMariadb(server)
    const other = await createConnection(url)
    await other.query("select get_lock(left(concat(database(), ':latchkey_migrations'), 64), 0)")
    const adapter = sqlAdapter(url, { busyTimeout: 100 })
    const migrating = adapter.migrate()
    await Promise.race([migrating, pause(1500)])
    await other.end()
    expect(await migrating).toContain("1 tables")
    await adapter.close()
  })
})

describeServer("postgresql", (server) => {
  it("a migration that waits for a table lets others pass, and goes on when the table is free", async () => {
    const database = await newPostgresql(server)
    const first = sqlAdapter(database.url)
    await first.migrate()
    await database.run("drop index users_email_lower_key")
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query("begin")
    await holder.query("insert into users (id, email) values ('1', 'ada@example.test')")
    const migrating = first.migrate()
    await pause(500)
    const begun = performance.now()
    await database.run("insert into users (id, email) values ('2', 'bob@example.test')")
    expect(performance.now() - begun).toBeLessThan(8000)
    await holder.query("commit")
    await holder.end()
    expect(await migrating).toEqual(['repaired: "users" has no unique key on lower(email)'])
    await first.close()
  })
})
