/** Bytes that a user, an account and a session take in each store, keys and indices included. */
import { createHash, randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { redisAdapter } from "@latchkey/redis-adapter"
import { sqlAdapter } from "@latchkey/sql-adapter"
import { sql } from "kysely"
import { createClient } from "redis"
import { startRedis } from "./redis.server.mjs"
import { startMariadb, startPostgresql } from "./stores.server.mjs"

const expires = new Date("2037-01-01T00:00:00Z")
/** Users, accounts and sessions for each two users, as in the guide. */
const shares = { users: 2, accounts: 3, sessions: 4 }

const hash = (text) => createHash("sha256").update(text).digest("hex")
const id = (kind, index) => {
  const digits = hash(`${kind}${index}`)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ].join("-")
}

/** Tokens of a provider: together 2.2 KB of texts that cannot be compressed, as signed tokens cannot. */
const tokens = () => ({
  access_token: randomBytes(384).toString("base64url"),
  refresh_token: randomBytes(192).toString("base64url"),
  id_token: randomBytes(1056).toString("base64url"),
  token_type: "bearer",
  scope: "openid profile email",
  expires_at: 1_900_000_000,
})

const row = {
  users: (index) => ({
    id: id("user", index),
    name: "Ada Lovelace",
    email: `ada.lovelace.${index}@example.test`,
    emailVerified: null,
    image: `https://images.example.test/${id("image", index)}.png`,
  }),
  accounts: (index, people) => ({
    id: id("account", index),
    userId: id("user", index % people),
    type: "oidc",
    provider: "google",
    providerAccountId: `1${String(index).padStart(20, "0")}`,
    ...tokens(),
  }),
  sessions: (index, people, time) => ({
    id: id("session", index),
    userId: id("user", index % people),
    expires: time,
    sessionToken: `sha256:${hash(`token${index}`)}`,
  }),
}

const times = {
  SqliteAdapter: expires.toISOString(),
  PostgresAdapter: expires,
  MysqlAdapter: "2037-01-01 00:00:00.000",
}

/** Bytes of the table and its indices. */
const sizes = {
  async PostgresAdapter(kysely, table) {
    await sql`vacuum analyze ${sql.table(table)}`.execute(kysely)
    const { rows } =
      await sql`select pg_table_size(${table})::int8 as "table", pg_indexes_size(${table})::int8 as indices`.execute(
        kysely,
      )
    return { table: Number(rows[0].table), indices: Number(rows[0].indices) }
  },
  async MysqlAdapter(kysely, table) {
    await sql`analyze table ${sql.table(table)}`.execute(kysely)
    const { rows } = await sql`select data_length as "table", index_length as indices from information_schema.tables
      where table_schema = database() and table_name = ${table}`.execute(kysely)
    return { table: Number(rows[0].table), indices: Number(rows[0].indices) }
  },
}

async function bytesOf(kysely) {
  const { rows } = await sql`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(
    kysely,
  )
  return Number(rows[0].bytes)
}

const line = (table, { bytes, detail }) =>
  console.log(`  ${table.padEnd(10)} ${bytes.toFixed(0).padStart(6)} bytes a row${detail}`)

async function ofSql(title, adapter, unit) {
  await adapter.migrate()
  const { kysely } = adapter
  const kind = kysely.getExecutor().adapter.constructor.name
  console.log(`\n${title}, ${(unit * shares.sessions).toLocaleString("en")} sessions`)
  const people = unit * shares.users
  for (const [table, share] of Object.entries(shares)) {
    const count = unit * share
    const before = kind === "SqliteAdapter" ? await bytesOf(kysely) : 0
    for (let start = 0; start < count; start += 500) {
      const rows = Array.from({ length: Math.min(500, count - start) }, (_, at) =>
        row[table](start + at, people, times[kind]),
      )
      await kysely.insertInto(table).values(rows).execute()
    }
    if (kind === "SqliteAdapter") {
      line(table, { bytes: ((await bytesOf(kysely)) - before) / count, detail: "" })
      continue
    }
    const size = await sizes[kind](kysely, table)
    const detail = `: ${(size.table / count).toFixed(0)} and ${(size.indices / count).toFixed(0)} of indices`
    line(table, { bytes: (size.table + size.indices) / count, detail })
  }
}

async function onRedis(unit) {
  const { url, stop } = await startRedis()
  const adapter = redisAdapter({ url })
  const client = await createClient({ url }).connect()
  const used = async () => Number(/used_memory:(\d+)/.exec(await client.info("memory"))?.[1])
  const people = unit * shares.users
  console.log(`\nRedis, ${(unit * shares.sessions).toLocaleString("en")} sessions`)
  const write = {
    users: (index) => adapter.createUser(row.users(index)),
    sessions: (index) =>
      adapter.createSession({ sessionToken: `token${index}`, userId: id("user", index % people), expires }),
  }
  for (const [table, one] of Object.entries(write)) {
    const count = unit * shares[table]
    const before = await used()
    for (let start = 0; start < count; start += 200) {
      await Promise.all(Array.from({ length: Math.min(200, count - start) }, (_, at) => one(start + at)))
    }
    line(table, { bytes: ((await used()) - before) / count, detail: "" })
  }
  await client.close()
  await adapter.close()
  await stop()
}

export async function run({ cookies } = {}) {
  const unit = cookies === undefined ? 50_000 : 5000
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"))
  const file = sqlAdapter({ filename: join(folder, "bench.db") })
  await ofSql("SQLite", file, unit)
  await file.close()
  await rm(folder, { recursive: true, force: true })
  for (const [title, start] of Object.entries({ PostgreSQL: startPostgresql, MariaDB: startMariadb })) {
    const { url, stop } = await start()
    const adapter = sqlAdapter(url, { statementTimeout: 60_000 })
    try {
      await ofSql(title, adapter, unit)
    } finally {
      await adapter.close()
      await stop()
    }
  }
  await onRedis(unit)
}
