/** Finding a session takes as many pages of a large table as of a small one. */
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import type { CompiledQuery, Kysely } from "kysely"
import { beforeAll, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { newPostgresql, pgKysely, type TestDatabase } from "../support/databases.js"

interface Plan {
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
}

describeServer("postgresql", (server) => {
  describe("look-ups on PostgreSQL", () => {
    const seen: CompiledQuery[] = []
    let database: TestDatabase
    let kysely: Kysely<unknown>
    let adapter: SqlAdapter
    beforeAll(async () => {
      database = await newPostgresql(server)
      kysely = pgKysely(database.url, { log: ({ query }) => void seen.push(query) })
      adapter = sqlAdapter(kysely, { migrate: "auto" })
      for (const id of ["u0", "u1"]) await adapter.createUser({ id, email: `${id}@example.test`, emailVerified: null })
    })

    const fill = (from: number, to: number): Promise<void> =>
      database.run(
        `insert into sessions (id, "userId", expires, "sessionToken")
          select 's' || i, 'u' || (i % 2), '2099-01-01T00:00:00Z',
            'sha256:' || encode(sha256(convert_to('token-' || i, 'UTF8')), 'hex')
          from generate_series(${from}, ${to - 1}) i`,
        "analyze sessions",
      )

    /** Pages that the database reads, from memory or from the disk, for one call: a count, whatever else the machine does. */
    async function pagesOf(call: () => Promise<unknown>): Promise<number> {
      seen.length = 0
      expect(await call()).not.toBeNull()
      const [{ sql, parameters }] = seen as [CompiledQuery]
      const query = { sql: `explain (analyze, buffers, format json) ${sql}`, parameters } as unknown as CompiledQuery
      const { rows } = await kysely.executeQuery<{ "QUERY PLAN": readonly [{ Plan: Plan }] }>(query)
      const [{ Plan: plan }] = (rows[0] as { "QUERY PLAN": readonly [{ Plan: Plan }] })["QUERY PLAN"]
      return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    }

    it("read at most two pages more of 200,000 sessions than of 1,000", async () => {
      const lookUp = async (): Promise<unknown> => adapter.getSessionAndUser("token-7")
      await fill(0, 1000)
      const few = await pagesOf(lookUp)
      await fill(1000, 200_000)
      const many = await pagesOf(lookUp)
      expect(few).toBeGreaterThan(0)
      // A level of the index holds some hundred times as many entries as the one above it, for each form of the token.
      expect(many - few).toBeLessThanOrEqual(2)
    })
  })
})
