/** New, empty databases on the servers of the test run, and the ways of handing them to the adapter. */
import { randomBytes } from "node:crypto"
import { type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from "@latchkey/sql-adapter"
import { Kysely, type KyselyConfig, MysqlDialect, type MysqlPool, PostgresDialect } from "kysely"
import { type Pool as CallbackPool, createPool, type PoolOptions } from "mysql2"
import { createConnection, createPool as createPromisePool } from "mysql2/promise"
import pg from "pg"
import { afterAll } from "vitest"

/** A database of its own, and what was opened on it. */
export interface TestDatabase {
  readonly url: string
  /** Runs statements, one after the other. */
  run(...statements: readonly string[]): Promise<void>
  /** The rows of one statement. */
  rows<T = Record<string, unknown>>(statement: string): Promise<T[]>
}

const withPath = (url: string, name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href

const newName = (): string => `latchkey_${randomBytes(6).toString("hex")}`

const closing: (() => Promise<unknown>)[] = []

/** Closes this after the tests of the file. */
export function afterwards(close: () => Promise<unknown>): void {
  closing.push(close)
}

afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A database on the PostgreSQL server. */
export async function newPostgresql(server: string): Promise<TestDatabase> {
  const name = newName()
  const url = withPath(server, name)
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const rows = async <T>(statement: string): Promise<T[]> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(statement)).rows as T[]
    } finally {
      await client.end()
    }
  }
  return { url, rows, run: async (...statements) => void (await rows(statements.join(";\n"))) }
}

/** A database on the MariaDB server. */
export async function newMariadb(server: string, options = ""): Promise<TestDatabase> {
  const name = newName()
  const url = withPath(server, name)
  const admin = await createConnection(server)
  await admin.query(`create database ${name} ${options}`)
  await admin.end()
  const connected = async <T>(work: (connection: Awaited<ReturnType<typeof createConnection>>) => Promise<T>) => {
    const connection = await createConnection({ uri: url, timezone: "Z" })
    try {
      return await work(connection)
    } finally {
      await connection.end()
    }
  }
  return {
    url,
    rows: <T>(statement: string) => connected(async (it) => (await it.query(statement))[0] as T[]),
    run: (...statements) =>
      connected(async (it) => {
        for (const statement of statements) await it.query(statement)
      }),
  }
}

/** An adapter on the server of this address, closed after the tests. */
export function opened(url: string, options?: SqlAdapterOptions): SqlAdapter {
  const adapter = sqlAdapter(url, { connections: 2, ...options })
  afterwards(() => adapter.close())
  return adapter
}

/** A pool of "pg", closed after the tests. */
export function pgPool(url: string, options: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, ...options })
  afterwards(() => pool.end())
  return pool
}

/** A pool of "mysql2" with callbacks, closed after the tests. */
export function mysqlPool(url: string, options: PoolOptions = {}, beginning = "do 0"): CallbackPool {
  const pool = createPool({ uri: url, ...options })
  // Queued before everything else that this connection will do.
  pool.on("connection", (connection) => connection.query(beginning))
  afterwards(() => pool.promise().end())
  return pool
}

/** A pool of "mysql2/promise", closed after the tests. */
export function mysqlPromisePool(url: string): ReturnType<typeof createPromisePool> {
  const pool = createPromisePool({ uri: url })
  afterwards(() => pool.end())
  return pool
}

type KyselyOptions = Pick<KyselyConfig, "log" | "plugins">

/** A Kysely instance of the application, on "pg". */
export function pgKysely(url: string, options: KyselyOptions = {}): Kysely<unknown> {
  const pool = new pg.Pool({ connectionString: url })
  // As every application has to: this pool is out of the adapter's sight.
  pool.on("error", () => {})
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), ...options })
  afterwards(() => kysely.destroy())
  return kysely
}

/** A Kysely instance of the application, on "mysql2". */
export function mysqlKysely(url: string, options: KyselyOptions = {}): Kysely<unknown> {
  const pool = createPool({ uri: url }) as unknown as MysqlPool
  const kysely = new Kysely<unknown>({ dialect: new MysqlDialect({ pool }), ...options })
  afterwards(() => kysely.destroy())
  return kysely
}
