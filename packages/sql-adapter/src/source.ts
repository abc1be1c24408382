/** Where the data is: a file, a URL, a pool, a dialect or a Kysely instance, opened when it is first needed. */
import { type Dialect, Kysely } from "kysely"
import type { Mysql2Pool, Mysql2PromisePool } from "./connections/mysql2.js"
import type { PgPool } from "./connections/pg.js"
import { type DialectName, dialectNamed, dialectOf } from "./dialects/select.js"
import { embedded } from "./openings/embedded.js"
import { borrowed, type Opening } from "./openings/opening.js"
import { mysqlPool, mysqlServer, postgresqlPool, postgresqlServer, type ServerOptions } from "./openings/servers.js"
import { checkedFilename, dialectOfUrl, filenameOf, isUrl, serverUrl } from "./url.js"

/** A pool of "pg" or of "mysql2", with promises or callbacks. */
export type Pool = PgPool | Mysql2Pool | Mysql2PromisePool

/** What the adapter accepts: a string is a URL if it begins like one, otherwise the path of a file. */
export type Source<Database> =
  | string
  | URL
  | { readonly filename: string }
  | { readonly url: string | URL }
  | { readonly pool: Pool }
  | Pool
  | { readonly dialect: Dialect }
  | Kysely<Database>

/** How to open it. */
export interface OpeningOptions extends ServerOptions {
  /** The dialect, where it cannot be determined from the source. */
  readonly dialect?: DialectName | undefined
}

const unknownSource = "sqlAdapter needs a filename, a url, a pool, a dialect or a Kysely instance."

const drizzleSource =
  'sqlAdapter does not work on a Drizzle instance. Pass what the instance was made with: the pool of "pg" or "mysql2" (newer versions of Drizzle have it as `db.$client`), the URL, or the name of the SQLite file. Set the names of its tables and columns with the option `names`.'

/** Every class of Drizzle says under this key what it is. */
const drizzleKind = Symbol.for("drizzle:entityKind")

const isDrizzle = (source: object): boolean =>
  typeof source.constructor === "function" && drizzleKind in source.constructor

type Given = Readonly<Record<string, unknown>>

const has = (source: Given, ...names: readonly string[]): boolean =>
  names.every((name) => typeof source[name] === "function")

function openUrl(url: string | URL, options: OpeningOptions): Opening {
  const { name } = dialectOfUrl(url)
  if (name === "postgresql") return postgresqlServer(serverUrl(url), options)
  if (name === "mysql") return mysqlServer(serverUrl(url), options)
  return openFile(filenameOf(url), options)
}

function openFile(filename: string, { busyTimeout }: OpeningOptions): Opening {
  return embedded({ filename, busyTimeout })
}

function openPool(pool: Given, options: OpeningOptions): Opening | undefined {
  if (has(pool, "getConnection")) {
    const inner = typeof pool.pool === "object" && pool.pool !== null ? pool.pool : pool
    return mysqlPool(inner as Mysql2Pool, options)
  }
  if (has(pool, "connect", "query", "end")) return postgresqlPool(pool as unknown as PgPool, options)
  return undefined
}

function openKysely(kysely: Kysely<unknown>, { dialect }: OpeningOptions, isOurs: boolean): Opening {
  return borrowed(kysely, dialect === undefined ? dialectOf(kysely) : dialectNamed(dialect), isOurs)
}

/** Finds out what was given. Opens nothing yet. */
export function openingOf(source: Source<never>, options: OpeningOptions): Opening {
  if (typeof source === "string") {
    return isUrl(source) ? openUrl(source, options) : openFile(checkedFilename(source), options)
  }
  if (typeof source !== "object" || source === null) throw new TypeError(unknownSource)
  if (source instanceof URL) return openUrl(source, options)
  if (isDrizzle(source)) throw new TypeError(drizzleSource)
  const given = source as unknown as Given
  if (has(given, "selectFrom", "getExecutor")) return openKysely(source as unknown as Kysely<unknown>, options, false)
  if (typeof given.filename === "string") {
    return openFile(checkedFilename(given.filename), options)
  }
  if (typeof given.url === "string" || given.url instanceof URL) return openUrl(given.url, options)
  const pool = openPool(given, options)
  if (pool) return pool
  const inner = typeof given.pool === "object" && given.pool !== null && openPool(given.pool as Given, options)
  if (inner) return inner
  if (typeof given.dialect === "object" && given.dialect !== null && has(given.dialect as Given, "createDriver")) {
    return openKysely(new Kysely<unknown>({ dialect: given.dialect as Dialect }), options, true)
  }
  throw new TypeError(unknownSource)
}
