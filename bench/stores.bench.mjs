/** A session look-up through the SQL adapter beside the bare driver's prepared statement, at 1,000 to 1,000,000 sessions. */
import { fork } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { sqlAdapter } from "@latchkey/sql-adapter"
import Database from "libsql"
import pg from "pg"
import { compare } from "./harness/measure.mjs"
import { startPostgresql } from "./stores.server.mjs"

const counts = [1000, 100_000, 1_000_000]
const looked = 10_000
const people = 1000

const hashOf = (index) => `sha256:${createHash("sha256").update(`token-${index}`).digest("hex")}`

/** What the adapter asks, as one would write it by hand. */
const columns = 's."sessionToken", s."userId", s.expires, u.id, u.name, u.email, u."emailVerified", u.image'
const lookUp = (slot) =>
  `select ${columns} from sessions s join users u on u.id = s."userId" where s."sessionToken" = ${slot}`

/** Each finds every session, or the measurement would say nothing. */
async function measure({ id, title, adapter, bare, count, options }) {
  options.begin?.(title)
  const at = (turn) => (turn * 7919) % Math.min(count, looked)
  const rows = await compare(
    {
      "by hand, prepared": async (turn) => {
        if (!(await bare(hashOf(at(turn))))) throw new Error("a session was not found")
      },
      Latchkey: async (turn) => {
        if (!(await adapter.getSessionAndUser(`token-${at(turn)}`))) throw new Error("a session was not found")
      },
    },
    options,
  )
  return { id: `${id}-${count}`, title: `Session look-up in ${title}, ${count.toLocaleString("en")} sessions`, rows }
}

/** The first of them have known tokens, the others fill the index. */
function fillSqlite(database, from, to) {
  const insert = database.prepare('insert into sessions (id, "userId", expires, "sessionToken") values (?, ?, ?, ?)')
  database.exec("begin")
  for (let index = from; index < Math.min(to, looked); index += 1) {
    insert.run([`s${index}`, `u${index % people}`, "2099-01-01T00:00:00.000Z", hashOf(index)])
  }
  const first = Math.max(from, looked)
  if (first < to) {
    database.exec(`with recursive n(i) as (select ${first} union all select i + 1 from n where i + 1 < ${to})
      insert into sessions (id, "userId", expires, "sessionToken")
      select 's' || i, 'u' || (i % ${people}), '2099-01-01T00:00:00.000Z', 'sha256:' || lower(hex(randomblob(32))) from n`)
  }
  database.exec("commit")
}

/** @returns {Promise<object[]>} tables */
export async function onSqlite(sizes, options) {
  const tables = []
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"))
  const filename = join(folder, "bench.db")
  const adapter = sqlAdapter({ filename })
  await adapter.migrate()
  const database = new Database(filename)
  try {
    for (let index = 0; index < people; index += 1) {
      await adapter.createUser({ id: `u${index}`, name: "Ada", email: `u${index}@example.test`, emailVerified: null })
    }
    let filled = 0
    for (const count of sizes) {
      fillSqlite(database, filled, count)
      filled = count
      const statement = database.prepare(lookUp("?"))
      const bare = (token) => statement.get([token])
      tables.push(await measure({ id: "sqlite", title: "SQLite", adapter, bare, count, options }))
    }
    return tables
  } finally {
    database.close()
    await adapter.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function throughput(url, { processes, sessions, milliseconds }) {
  const script = fileURLToPath(new URL("stores.worker.mjs", import.meta.url))
  const workers = Array.from({ length: processes }, () => fork(script, [url, String(sessions), String(milliseconds)]))
  const request = (worker) =>
    Promise.race([
      once(worker, "message"),
      once(worker, "exit").then(() => {
        throw new Error("a process ended before its measurement")
      }),
    ])
  await Promise.all(workers.map(request))
  const answers = workers.map(request)
  for (const worker of workers) worker.send("go")
  const all = (await Promise.all(answers)).map(([answer]) => answer)
  const rate = all.reduce((sum, { done, seconds }) => sum + done / seconds, 0)
  console.log(
    `  ${processes} process${processes > 1 ? "es" : ""}, 8 connections each: ${rate.toFixed(0)} look-ups a second`,
  )
}

/** `afterwards` is given the address and the number of sessions. @returns {Promise<object[]>} tables */
export async function onPostgresql(sizes, options, afterwards = async () => {}) {
  const tables = []
  const { url, stop } = await startPostgresql()
  const adapter = sqlAdapter(url)
  let filled = 0
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await adapter.migrate()
    await client.query(
      `insert into users (id, name, email) select 'u' || i, 'Ada', 'u' || i || '@example.test' from generate_series(0, $1::int) i`,
      [people - 1],
    )
    for (const count of sizes) {
      await client.query(
        `insert into sessions (id, "userId", expires, "sessionToken")
          select 's' || i, 'u' || (i % ${people}), '2099-01-01T00:00:00Z',
            'sha256:' || encode(sha256(convert_to('token-' || i, 'UTF8')), 'hex')
          from generate_series($1::int, $2::int) i`,
        [filled, count - 1],
      )
      await client.query("vacuum analyze")
      filled = count
      const text = lookUp("$1")
      const bare = async (token) => (await client.query({ name: "look-up", text, values: [token] })).rows[0]
      tables.push(await measure({ id: "postgresql", title: "PostgreSQL", adapter, bare, count, options }))
    }
    await afterwards(url, filled)
    return tables
  } finally {
    await client.end()
    await adapter.close()
    await stop()
  }
}

async function throughputs(url, filled) {
  console.log("\nPostgreSQL, throughput on one machine with its server")
  for (const processes of [1, 2]) {
    await throughput(url, { processes, sessions: Math.min(filled, looked), milliseconds: 1000 })
  }
}

/** @returns {Promise<object[]>} tables */
export async function run({ cookies, ...options }) {
  const sizes = cookies === undefined ? counts : counts.slice(0, 1)
  return [...(await onSqlite(sizes, options)), ...(await onPostgresql(sizes, options, throughputs))]
}
