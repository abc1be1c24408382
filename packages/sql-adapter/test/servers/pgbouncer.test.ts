/** Behind PgBouncer, which hands each transaction to another connection and loses what was prepared on the one before. */
import { contractCases, runCase } from "@latchkey/adapter-contract"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { newPostgresql, opened } from "../support/databases.js"
import { account, ada, expires } from "../support/people.js"
import { titled } from "../support/titled.js"

describeServer("pgbouncer", (server) => {
  it("statements that were prepared and lost are run again, in transactions too, without an error", async () => {
    const { url, rows } = await newPostgresql(server)
    await opened(url, { preparedStatements: false }).migrate()
    const adapter = opened(url, { connections: 8 })
    const people = Array.from({ length: 24 }, (_, index) => String(index))
    await Promise.all(
      people.map(async (id) => {
        await adapter.transaction(async (within) => {
          await within.createUser?.({ ...ada, id, email: `${id}@example.test` })
          await within.linkAccount?.({ ...account, userId: id, providerAccountId: id })
          await within.createSession?.({ sessionToken: id, userId: id, expires })
        })
        expect((await adapter.getSessionAndUser(id))?.user.id).toBe(id)
        await adapter.updateSession({ sessionToken: id, expires: new Date("2038-01-01") })
      }),
    )
    expect(await rows("select count(*)::int as sessions from sessions")).toEqual([{ sessions: people.length }])
  })

  describe("the whole contract", () => {
    let adapter: SqlAdapter
    beforeAll(async () => {
      adapter = sqlAdapter((await newPostgresql(server)).url, { migrate: "auto" })
    })
    afterAll(() => adapter.close())

    it.each(titled(contractCases.filter(({ group }) => group !== "crash")))("%s", (_, it) => runCase(it, adapter))
  })
})
