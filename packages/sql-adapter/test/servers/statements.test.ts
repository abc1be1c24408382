/** How many statements an operation takes, that each goes by an index, and that the driver prepares them. */
import { createAuth } from "@latchkey/core"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import type { CompiledQuery, Kysely } from "kysely"
import { beforeAll, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { mysqlKysely, newMariadb, newPostgresql, pgKysely, pgPool, type TestDatabase } from "../support/databases.js"
import { operations } from "../support/operations.js"

interface Ground {
  readonly column: 0 | 1
  readonly make: () => Promise<TestDatabase>
  readonly kysely: (url: string, log: (query: CompiledQuery) => void) => Kysely<unknown>
  /** Does this plan read a table from end to end? */
  readonly scans: (database: TestDatabase, kysely: Kysely<unknown>, query: CompiledQuery) => Promise<unknown[]>
}

/** Through the whole engine: what a first sign-in by a provider writes. */
async function signIn(adapter: SqlAdapter): Promise<void> {
  const profile = { id: "person", name: "Ada", email: "first@example.test" }
  const provider = {
    id: "example",
    name: "Example",
    type: "oauth" as const,
    clientId: "client",
    clientSecret: "secret",
    checks: [],
    authorization: "https://provider.test/authorize",
    token: "https://provider.test/token",
    userinfo: { url: "https://provider.test/me", request: () => profile },
    profile: () => profile,
  }
  const fetch = async (): Promise<Response> => Response.json({ access_token: "a", token_type: "bearer" })
  const custom = Symbol.for("custom-fetch")
  const config = { providers: [{ ...provider, [custom]: fetch }], adapter, secret: "s".repeat(40), trustHost: true }
  const auth = createAuth(config as unknown as Parameters<typeof createAuth>[0], { env: {} })
  const response = await auth.handle(new Request("http://localhost/auth/callback/example?code=c"))
  expect(response.headers.get("location")).not.toContain("error")
  expect(response.headers.getSetCookie().join()).toContain("session-token=")
}

function statements(ground: Ground): void {
  const seen: CompiledQuery[] = []
  let database: TestDatabase
  let kysely: Kysely<unknown>
  let adapter: SqlAdapter
  beforeAll(async () => {
    database = await ground.make()
    kysely = ground.kysely(database.url, (query) => void seen.push(query))
    adapter = sqlAdapter(kysely, { migrate: "auto" })
    await adapter.getUser("1")
  })

  it.each(Object.entries(operations))(
    "%s takes its statements and scans no table",
    async (_, [answering, silent, call]) => {
      seen.length = 0
      await call(adapter)
      const asked = seen.filter(
        ({ sql: text }) => !/^(set transaction|start transaction|begin|commit|savepoint|release)/.test(text),
      )
      expect(seen.map(({ sql: text }) => text)).toHaveLength([answering, silent][ground.column] as number)
      for (const query of asked) expect(await ground.scans(database, kysely, query), query.sql).toEqual([])
    },
  )

  it("a first sign-in takes one transaction, which reads who is known again before it writes", async () => {
    seen.length = 0
    await signIn(adapter)
    const isolated = /^set transaction/
    const from = seen.findIndex(({ sql: text }) => /^(begin|start transaction)/.test(text))
    const texts = seen.slice(from).map(({ sql: text }) => text.split(" ").slice(0, 3).join(" ").replaceAll(/["`]/g, ""))
    expect(texts.map((text) => text.replace(/^(begin|start transaction).*/, "begin"))).toEqual([
      "begin",
      "select u.id as",
      "select id as",
      "insert into users",
      "insert into accounts",
      "insert into sessions",
      "commit",
    ])
    const before = seen.slice(0, from).filter(({ sql: text }) => !isolated.test(text))
    expect(before.every(({ sql: text }) => text.startsWith("select"))).toBe(true)
  })
}

describeServer("postgresql", (server) => {
  describe("statements on PostgreSQL", () =>
    statements({
      column: 0,
      make: () => newPostgresql(server),
      kysely: (url, log) => pgKysely(url, { log: ({ query }) => log(query) }),
      scans: async (_, kysely, { sql: text, parameters }) => {
        if (text.startsWith("insert")) return []
        const plan = await kysely.connection().execute(async (bound) => {
          // Tables of a few rows are read from end to end unless that is forbidden.
          await bound.executeQuery({ sql: "set enable_seqscan = off", parameters: [] } as unknown as CompiledQuery)
          const query = { sql: `explain ${text}`, parameters } as unknown as CompiledQuery
          return bound.executeQuery<{ "QUERY PLAN": string }>(query)
        })
        return plan.rows.map((row) => row["QUERY PLAN"]).filter((line) => line.includes("Seq Scan"))
      },
    }))

  it("the driver prepares each look-up once for each connection", async () => {
    const { url } = await newPostgresql(server)
    const pool = pgPool(url, { max: 1 })
    const adapter = sqlAdapter(pool, { migrate: "auto" })
    for (let turn = 0; turn < 3; turn += 1) await adapter.getSessionAndUser(`token-${turn}`)
    const { rows } = await pool.query(
      "select statement from pg_prepared_statements where statement like '%innerjoin%' or statement like '%inner join%'",
    )
    expect(rows).toHaveLength(1)
    const bare = pgPool(url, { max: 1 })
    const unprepared = sqlAdapter(bare, { preparedStatements: false })
    await unprepared.getSessionAndUser("token")
    expect((await bare.query("select statement from pg_prepared_statements")).rows).toEqual([])
  })
})

describeServer("mariadb", (server) => {
  describe("statements on MariaDB", () =>
    statements({
      column: 1,
      make: () => newMariadb(server),
      kysely: (url, log) => mysqlKysely(url, { log: ({ query }) => log(query) }),
      scans: async (_, kysely, { sql: text, parameters }) => {
        if (text.startsWith("insert")) return []
        const query = { sql: `explain ${text}`, parameters } as unknown as CompiledQuery
        const { rows } = await kysely.executeQuery<{ type: string | null; possible_keys: string | null }>(query)
        // Of a few rows the planner reads all, even where it has a key.
        return rows.filter(({ type, possible_keys: keys }) => type === "ALL" && keys === null)
      },
    }))
})
