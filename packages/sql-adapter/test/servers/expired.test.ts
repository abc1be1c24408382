/** Expired rows are removed in steps on real servers, and whoever signs in meanwhile is not kept waiting. */
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import type { CompiledQuery, Kysely } from "kysely"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import {
  afterwards,
  mysqlKysely,
  newMariadb,
  newPostgresql,
  pgKysely,
  type TestDatabase,
} from "../support/databases.js"

const rows = 20_000
const living = new Date(Date.UTC(2037, 0))

/** A migrated database with expired sessions of one user, and two adapters on it: two processes. */
async function fill(database: TestDatabase, insert: string): Promise<readonly [SqlAdapter, SqlAdapter]> {
  const open = (): SqlAdapter => {
    const adapter = sqlAdapter(database.url, { migrate: "auto", statementTimeout: 5000 })
    afterwards(() => adapter.close())
    return adapter
  }
  const [one, other] = [open(), open()]
  await one.createUser({ id: "ada", email: "ada@example.test", emailVerified: null })
  await one.createSession({ sessionToken: "alive", userId: "ada", expires: living })
  await database.run(insert)
  return [one, other]
}

/** The statement that removes expired sessions, as this adapter sends it. */
async function removalOn(kysely: (log: (query: CompiledQuery) => void) => Kysely<unknown>) {
  const seen: CompiledQuery[] = []
  const instance = kysely((query) => void seen.push(query))
  await sqlAdapter(instance).deleteExpired(new Date())
  const query = seen.find(({ sql }) => /^delete from \S*sessions/.test(sql)) as CompiledQuery
  return async (): Promise<string> => {
    const { rows } = await instance.executeQuery({ ...query, sql: `explain ${query.sql}` } as CompiledQuery)
    return JSON.stringify(rows)
  }
}

async function sweepWhileOthersSignIn([one, other]: readonly [SqlAdapter, SqlAdapter]): Promise<void> {
  const steps: number[] = []
  let before = 0
  let signedIn = 0
  let isDone = false
  const removal = Promise.resolve(
    one.deleteExpired(new Date(), {
      onProgress: ({ sessions }) => {
        steps.push(sessions - before)
        before = sessions
      },
    }),
  ).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await other.createSession({ sessionToken: `new-${signedIn}`, userId: "ada", expires: living })
    expect(await other.getSessionAndUser("alive")).not.toBeNull()
    signedIn += 1
  }
  expect(await removal).toEqual({ sessions: rows, verificationTokens: 0, records: 0 })
  expect(steps.length).toBeGreaterThan(3)
  expect(steps[0]).toBe(200)
  // How many come through depends on the machine; that one does, before the removal ends, does not.
  expect(signedIn).toBeGreaterThan(0)
  expect(await other.listSessionsByUserId("ada")).toHaveLength(1 + signedIn)
}

const generated = `select 'old-' || n, 'old-' || n, 'ada', now() - interval '1 day' from generate_series(1, ${rows}) n`
const insertPostgresql = `insert into sessions (id, "sessionToken", "userId", expires) ${generated}`

describeServer("postgresql", (server) => {
  it("removes expired sessions in steps, others sign in meanwhile", async () => {
    await sweepWhileOthersSignIn(await fill(await newPostgresql(server), insertPostgresql))
  })

  it("finds expired sessions by their index, also where nearly all have expired", async () => {
    const database = await newPostgresql(server)
    await fill(database, "select 1")
    const plan = await removalOn((log) => pgKysely(database.url, { log: ({ query }) => log(query) }))
    await database.run(insertPostgresql, "analyze sessions")
    expect(await plan()).toContain("Index Scan using sessions_expires_idx")
    expect(await plan()).not.toContain("Seq Scan")
  })

  it("removes what has expired, and nothing else, from partitions that number their rows alike", async () => {
    const database = await newPostgresql(server)
    const [one] = await fill(database, "select 1")
    await database.run(
      "drop table sessions",
      `create table sessions (id text not null default gen_random_uuid(), "userId" text not null references users on delete cascade,
        expires timestamptz(3) not null, "sessionToken" text not null, primary key ("sessionToken")) partition by hash ("sessionToken")`,
      ...[0, 1, 2].map(
        (part) => `create table sessions_${part} partition of sessions for values with (modulus 3, remainder ${part})`,
      ),
      `insert into sessions ("sessionToken", "userId", expires)
        select 'row-' || n, 'ada', case when n % 2 = 0 then now() - interval '1 day' else now() + interval '1 day' end
        from generate_series(1, 3000) n`,
    )
    expect(await one.deleteExpired(new Date())).toEqual({ sessions: 1500, verificationTokens: 0, records: 0 })
    expect(await database.rows("select count(*)::int as left from sessions")).toEqual([{ left: 1500 }])
  })
})

describeServer("mariadb", (server) => {
  const insertMariadb = `insert into sessions (id, sessionToken, userId, expires)
      select concat('old-', seq), concat('old-', seq), 'ada', utc_timestamp() - interval 1 day from seq_1_to_${rows}`

  it("removes expired sessions in steps, others sign in meanwhile", async () => {
    await sweepWhileOthersSignIn(await fill(await newMariadb(server), insertMariadb))
  })

  it.each(["datetime(3)", "timestamp(3)"])(
    "finds expired sessions in a column of the type %s by their index, also where nearly all have expired",
    async (type) => {
      const database = await newMariadb(server)
      await fill(database, "select 1")
      await database.run(`alter table sessions modify column expires ${type} not null default '2000-01-01 00:00:00'`)
      const plan = await removalOn((log) => mysqlKysely(database.url, { log: ({ query }) => log(query) }))
      await database.run(insertMariadb, "analyze table sessions")
      expect(JSON.parse(await plan())).toMatchObject([{ type: "range", key: "sessions_expires_idx" }])
    },
  )
})
