/** How long a sign-in and a session read wait while a million expired sessions are removed from the same store. */
import { mkdtemp, rm } from "node:fs/promises"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { MysqlDialect, PostgresDialect, sql } from "kysely"
import { createPool } from "mysql2"
import pg from "pg"
import { printPlans } from "./plans.mjs"
import { startMariadb, startPostgresql } from "./stores.server.mjs"

const living = new Date(Date.UTC(2100, 0))
const people = 1000

/** The target for the 99th percentile of the waits, in milliseconds. */
const target = 50

const percentile = (values, part) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)]

/** Signs in and reads a session every few milliseconds, and notes how long each took. */
async function watch(adapter, isOver) {
  const waits = []
  for (let turn = 0; !isOver(); turn += 1) {
    const start = performance.now()
    await adapter.createSession({ sessionToken: `new-${turn}`, userId: `u${turn % people}`, expires: living })
    if (!(await adapter.getSessionAndUser(`new-${turn}`))) throw new Error("a session was not found")
    waits.push(performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return waits
}

const load = () =>
  loadavg()
    .slice(0, 2)
    .map((value) => value.toFixed(1))
    .join(", ")

async function measure({ title, adapter, dialect, analyze }, count) {
  for (let index = 0; index < people; index += 1) {
    await adapter.createUserWithAccount(
      { id: `u${index}`, name: "Ada", email: `u${index}@example.test`, emailVerified: null },
      { provider: "p", providerAccountId: String(index), type: "oauth" },
    )
  }
  await fill(adapter, count)
  await sql.raw(analyze).execute(adapter.kysely)
  const until = performance.now() + 3000
  const quiet = await watch(adapter, () => performance.now() > until)
  await sql`delete from sessions where ${sql.ref("expires")} > '2090-01-01'`.execute(adapter.kysely)
  console.log(`\n${title}, ${count.toLocaleString("en")} expired sessions`)
  await printPlans(dialect())
  let isOver = false
  const start = performance.now()
  const removal = adapter.deleteExpired(new Date()).finally(() => {
    isOver = true
  })
  const waits = await watch(adapter, () => isOver)
  const { sessions } = await removal
  const ended = performance.now()
  if (sessions !== count) throw new Error(`${sessions} of ${count} sessions were removed`)
  const show = (values) =>
    `median ${percentile(values, 0.5).toFixed(1)} ms, p99 ${percentile(values, 0.99).toFixed(1)} ms, longest ${percentile(values, 1).toFixed(1)} ms`
  console.log(`  removed in ${((ended - start) / 1000).toFixed(1)} s`)
  const p99 = percentile(waits, 0.99)
  console.log(
    `  ${p99 <= target ? "holds" : "DOES NOT HOLD"}: p99 of ${p99.toFixed(1)} ms with a target of ${target} ms; load of the machine ${load()}`,
  )
  console.log(`  sign-in and read meanwhile (${waits.length}): ${show(waits)}`)
  console.log(`  the same with nothing to remove:   ${show(quiet)}`)
}

const numbers = (count) =>
  sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`

async function fill({ kysely }, count) {
  const kind = kysely.getExecutor().adapter.constructor.name
  const token = {
    SqliteAdapter: sql`'old-' || i`,
    PostgresAdapter: sql`'old-' || i`,
    MysqlAdapter: sql`concat('old-', seq)`,
  }[kind]
  const rows =
    kind === "MysqlAdapter"
      ? sql`select ${token}, ${token}, concat('u', seq % ${sql.lit(people)}), '2020-01-01' + interval seq % 1000 hour from ${sql.raw(`seq_1_to_${count}`)}`
      : kind === "PostgresAdapter"
        ? sql`select ${token}, ${token}, 'u' || (i % ${sql.lit(people)}), '2020-01-01'::timestamptz + interval '1 hour' * (i % 1000) from generate_series(1, ${sql.lit(count)}) i`
        : sql`${numbers(count)} select ${token}, ${token}, 'u' || (i % ${sql.lit(people)}), strftime('%Y-%m-%dT%H:%M:%fZ', '2020-01-01', (i % 1000) || ' hours') from n`
  await sql`insert into sessions (id, ${sql.ref("sessionToken")}, ${sql.ref("userId")}, expires) ${rows}`.execute(
    kysely,
  )
}

/** What differs between servers. */
const servers = [
  {
    title: "PostgreSQL",
    start: startPostgresql,
    dialect: (url) => new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    analyze: "analyze",
  },
  {
    title: "MariaDB",
    start: startMariadb,
    dialect: (url) => new MysqlDialect({ pool: createPool({ uri: url }) }),
    analyze: "analyze table users, accounts, sessions",
  },
]

async function onServer({ title, start, dialect, analyze }, count) {
  const { url, stop } = await start()
  const adapter = sqlAdapter(url, { migrate: "auto", statementTimeout: 300_000 })
  try {
    await measure({ title, adapter, dialect: () => dialect(url), analyze }, count)
  } finally {
    await adapter.close()
    await stop()
  }
}

/** Measures and prints. */
export async function run({ cookies } = {}) {
  const count = cookies === undefined ? 1_000_000 : 100_000
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"))
  const filename = join(folder, "bench.db")
  const adapter = sqlAdapter({ filename })
  try {
    await adapter.migrate()
    await measure({ title: "SQLite", adapter, dialect: () => sqliteDialect({ filename }), analyze: "analyze" }, count)
  } finally {
    await adapter.close()
    await rm(folder, { recursive: true, force: true })
  }
  for (const server of servers) await onServer(server, count)
}
