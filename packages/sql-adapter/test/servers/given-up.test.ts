/** What happens on the server when the adapter no longer waits for an answer. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import pg from "pg"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { newPostgresql } from "../support/databases.js"

describeServer("postgresql", (server) => {
  it("a statement that was given up is given up by the server too, so that waiting ones do not pile up", async () => {
    const database = await newPostgresql(server)
    const adapter = sqlAdapter(database.url, { connections: 3, statementTimeout: 300, migrate: "auto" })
    await adapter.createUser({ id: "1", email: "ada@example.test", emailVerified: null })
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query("begin; update users set name = 'held'")
    for (let round = 0; round < 4; round += 1) {
      const works = [1, 2, 3].map(async (n) => adapter.updateUser({ id: "1", name: `${n}` }))
      const outcomes = await Promise.allSettled(works)
      expect(outcomes.every(({ status }) => status === "rejected")).toBe(true)
    }
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await expect.poll(() => database.rows(waiting), { timeout: 3000 }).toEqual([])
    await holder.query("commit")
    await holder.end()
    await expect(adapter.updateUser({ id: "1", name: "free" })).resolves.toMatchObject({ name: "free" })
    await adapter.close()
  })
})
