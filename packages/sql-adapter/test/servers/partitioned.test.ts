/** The partitions that the guide prints: run as they stand there, on tables with people in them. */
import { readFileSync } from "node:fs"
import { contractCases, runCase } from "@latchkey/adapter-contract"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { afterAll, beforeAll, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { newPostgresql, type TestDatabase } from "../support/databases.js"
import { titled } from "../support/titled.js"

/** The statements of the guide, without its indentation. */
function printed(): string {
  const guide = readFileSync(new URL("../../../../docs/guides/scaling.md", import.meta.url), "utf8")
  const [, indent = "", sql] = /^( *)```sql\n *-- partitions\.sql\n([\s\S]+?)\n *```$/m.exec(guide) ?? []
  if (sql === undefined) throw new Error("Expected partitions.sql in docs/guides/scaling.md.")
  return sql.replaceAll(new RegExp(`^${indent}`, "gm"), "")
}

const user = (id: string) => ({ id, email: `${id}@example.test`, emailVerified: null })
const later = new Date("2037-01-02T03:04:05.678Z")

describeServer("postgresql", (server) => {
  let database: TestDatabase
  let adapter: SqlAdapter
  beforeAll(async () => {
    database = await newPostgresql(server)
    const before = sqlAdapter(database.url)
    await before.migrate()
    await before.createUser(user("ada"))
    await before.createSession({ sessionToken: "before", userId: "ada", expires: later })
    await before.close()
    await database.run(printed())
    adapter = sqlAdapter(database.url)
  })
  afterAll(() => adapter?.close())

  it("partitions made as printed lack nothing, and are not changed by migrations", async () => {
    expect(await adapter.check()).toMatchObject({ pending: [], problems: [] })
    expect(await adapter.migrate()).toEqual([])
    const keys = await database.rows(
      `select indexdef from pg_indexes where tablename = 'sessions' and indexdef like 'CREATE UNIQUE%'`,
    )
    expect(keys).toHaveLength(1)
  })

  it("whoever was signed in stays so", async () => {
    expect((await adapter.getSessionAndUser("before"))?.user).toMatchObject({ id: "ada" })
    expect(await database.rows(`select count(*)::int as count from pg_inherits`)).not.toEqual([{ count: 0 }])
  })

  it("removal of expired rows takes none that lives in the same place of another partition", async () => {
    await adapter.createUser(user("bob"))
    const tokens = Array.from({ length: 400 }, (_, index) => `crowd-${index}`)
    for (const [index, sessionToken] of tokens.entries()) {
      const expires = index % 2 === 0 ? later : new Date("2020-01-01T00:00:00Z")
      await adapter.createSession({ sessionToken, userId: "bob", expires })
    }
    expect((await adapter.deleteExpired(new Date())).sessions).toBe(200)
    expect(await adapter.listSessionsByUserId("bob")).toHaveLength(200)
  })

  it("a look-up visits two partitions at most", async () => {
    const rows = await database.rows<{ "QUERY PLAN": string }>(
      `explain select * from sessions where "sessionToken" in ('sha256:${"0".repeat(64)}', 'plain')`,
    )
    const visited = rows.flatMap((row) => / on (sessions_\d+) /.exec(row["QUERY PLAN"])?.[1] ?? [])
    expect(visited.length).toBeGreaterThan(0)
    expect(new Set(visited).size).toBeLessThanOrEqual(2)
  })

  it.each(titled(contractCases))("%s", { timeout: 120_000 }, (_, contractCase) =>
    runCase(contractCase, adapter, 110_000),
  )
})
