/** Database servers: pools of our own, made from a URL when they are first needed, and pools that were handed in. */
import { type Dialect, Kysely, MysqlDialect, type MysqlPool, PostgresDialect, type PostgresPool } from "kysely"
import type { Connections } from "../connections/connection.js"
import { type Mysql2Connection, type Mysql2Pool, mysql2Connections } from "../connections/mysql2.js"
import { type PgPool, pgConnections } from "../connections/pg.js"
import type { SqlDialect } from "../dialects/dialect.js"
import { mysql } from "../dialects/mysql.js"
import { postgresql } from "../dialects/postgresql.js"
import type { Opening } from "./opening.js"

/** How to talk to a server. */
export interface ServerOptions {
  /** Milliseconds to wait for a connection. */
  readonly busyTimeout: number
  /** Connections of a pool of our own, at most. */
  readonly connections: number
  /** Statements are prepared on the server. */
  readonly prepares: boolean
}

interface Parts {
  readonly dialect: SqlDialect
  readonly kysely: Dialect
  readonly connections: Connections
  readonly isAlone?: boolean
  readonly close: () => Promise<void>
}

function server({ dialect, kysely, connections, isAlone = false, close }: Parts): Opening {
  return {
    kysely: new Kysely<unknown>({ dialect: kysely }),
    dialect,
    connections,
    isAlone,
    isEmbedded: false,
    openReader: async () => undefined,
    close,
  }
}

/** A pool that is made at first use. */
function lazily<P>(make: () => Promise<P>, end: (pool: P) => Promise<void>) {
  let made: Promise<P> | undefined
  return {
    get(): Promise<P> {
      made ??= make().catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    },
    async close(): Promise<void> {
      const pool = made
      made = undefined
      if (pool) await end(await pool)
    },
  }
}

/** An idle connection that is lost leaves the pool; no caller has to be informed. */
const ignore = (): void => {}

// Each import has a `try` of its own: bundlers read that as a sign that the package is optional.

async function loadPg(): Promise<Pick<typeof import("pg"), "Pool">> {
  try {
    return (await import("pg")).default
  } catch (cause) {
    throw missing("pg", cause)
  }
}

async function loadMysql2(): Promise<Pick<typeof import("mysql2"), "createPool">> {
  try {
    return (await import("mysql2")).default
  } catch (cause) {
    throw missing("mysql2", cause)
  }
}

function missing(name: string, cause: unknown): Error {
  return new Error(`The package "${name}" is needed for this database: npm install ${name}`, { cause })
}

/** A pool of "pg" that was handed in. It stays open. */
export function postgresqlPool(pool: PgPool, { prepares }: ServerOptions): Opening {
  // Without a listener, a server that goes away would end the whole process.
  pool.on("error", ignore)
  return server({
    dialect: postgresql,
    kysely: new PostgresDialect({ pool: pool as unknown as PostgresPool }),
    connections: pgConnections(async () => pool, prepares),
    close: async () => {},
  })
}

/** A PostgreSQL server. */
export function postgresqlServer(url: string, { busyTimeout, connections, prepares }: ServerOptions): Opening {
  const pool = lazily<PgPool>(
    async () => {
      const pg = await loadPg()
      const made = new pg.Pool({
        connectionString: url,
        max: connections,
        connectionTimeoutMillis: busyTimeout,
        idleTimeoutMillis: 30_000,
        keepAlive: true,
        allowExitOnIdle: true,
      })
      made.on("error", ignore)
      return made as unknown as PgPool
    },
    (made) => made.end(),
  )
  return server({
    dialect: postgresql,
    kysely: new PostgresDialect({ pool: () => pool.get() as unknown as Promise<PostgresPool> }),
    connections: pgConnections(pool.get, prepares),
    close: pool.close,
  })
}

/** A pool of "mysql2" that was handed in. It stays open. */
export function mysqlPool(pool: Mysql2Pool, { prepares }: ServerOptions): Opening {
  return server({
    dialect: mysql,
    kysely: new MysqlDialect({ pool: pool as unknown as MysqlPool }),
    connections: mysql2Connections(async () => pool, prepares),
    close: async () => {},
  })
}

/**
 * What our own connections begin with: UTC, refusal instead of truncation, escapes as the driver writes them, and locks
 * that are not waited for long.
 */
const beginning = (seconds: number): string =>
  `set session time_zone = '+00:00', sql_mode = replace(concat(@@sql_mode, ',STRICT_ALL_TABLES'), 'NO_BACKSLASH_ESCAPES', ''), innodb_lock_wait_timeout = ${seconds}`

/** A MySQL or MariaDB server. */
export function mysqlServer(url: string, { busyTimeout, connections, prepares }: ServerOptions): Opening {
  const pool = lazily<Mysql2Pool>(
    async () => {
      const mysql2 = await loadMysql2()
      const made = mysql2.createPool({
        uri: url,
        connectionLimit: connections,
        connectTimeout: busyTimeout,
        maxIdle: connections,
        enableKeepAlive: true,
        timezone: "Z",
        supportBigNumbers: true,
      })
      made.on("connection", (connection) => {
        const seconds = Math.max(1, Math.ceil(busyTimeout / 1000))
        ;(connection as unknown as Mysql2Connection).query({ sql: beginning(seconds) }, ignore)
      })
      return made as unknown as Mysql2Pool
    },
    (made) =>
      new Promise((resolve, reject) => {
        const end = made.end.bind(made) as (answer: (error: Error | null) => void) => unknown
        end((error) => (error ? reject(error) : resolve()))
      }),
  )
  return server({
    dialect: mysql,
    kysely: new MysqlDialect({ pool: () => pool.get() as unknown as Promise<MysqlPool> }),
    connections: mysql2Connections(pool.get, prepares),
    isAlone: true,
    close: pool.close,
  })
}
