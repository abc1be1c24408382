/** Where the data is: a file, a URL, a dialect or a Kysely instance, opened when it is first needed. */
import { fileURLToPath } from "node:url"
import { type CompiledQuery, type Dialect, Kysely, SqliteDialect } from "kysely"
import type { Builder, Row, SqlDialect } from "./dialects/dialect.js"
import { type EmbeddedDatabase, openEmbedded, type SqliteOptions } from "./dialects/libsql.js"
import { dialectOf, dialectOfScheme } from "./dialects/select.js"
import { sqlite } from "./dialects/sqlite.js"

/** What the adapter can be given. */
export type Source<Database> =
  | { readonly filename: string }
  | { readonly url: string | URL }
  | { readonly dialect: Dialect }
  | Kysely<Database>

/** A database that can be opened. */
export interface Opening {
  readonly kysely: Kysely<unknown>
  readonly dialect: SqlDialect
  /** Our own file: we migrate and close it. */
  readonly isEmbedded: boolean
  /** Opens a second connection for reading, where one helps. */
  readonly openReader: () => Promise<Reader | undefined>
  readonly close: () => Promise<void>
}

/** A connection that reads beside the writing one. */
export interface Reader {
  readonly read: (query: CompiledQuery) => Row[]
  readonly close: () => void
}

function isKysely(source: unknown): source is Kysely<unknown> {
  return typeof source === "object" && source !== null && "selectFrom" in source && "getExecutor" in source
}

/** The file of a `file:` or `sqlite:` URL: `file:app.db`, `file:///srv/app.db`, `sqlite::memory:`. */
export function filenameOf(url: string | URL): string {
  const text = String(url)
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) throw new TypeError("The database URL has no scheme; for a file write file:app.db.")
  dialectOfScheme(scheme)
  const path = text.slice(scheme.length + 1)
  if (/[?#]/.test(path)) throw new TypeError("The URL of a SQLite file takes no parameters.")
  if (path === "") throw new TypeError("The database URL names no file.")
  return path.startsWith("//") ? fileURLToPath(`file:${path}`) : decodeURI(path)
}

function readerOn(database: EmbeddedDatabase): Reader {
  return {
    read: ({ sql, parameters }) => database.prepare(sql).all(parameters) as Row[],
    close: () => database.close(),
  }
}

const unknownSource = "sqlAdapter needs a filename, a url, a dialect or a Kysely instance."

function embedded(options: SqliteOptions): Opening {
  let reader: Reader | undefined
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: () => openEmbedded(options) }) })
  return {
    kysely,
    dialect: sqlite,
    isEmbedded: true,
    async openReader() {
      // A database in memory belongs to its connection; a second one would see another database.
      if (options.filename === ":memory:") return undefined
      reader ??= readerOn(await openEmbedded(options))
      return reader
    },
    async close() {
      reader?.close()
      reader = undefined
      await kysely.destroy()
    },
  }
}

/** Finds out what was given. Opens nothing yet. */
export function openingOf(source: Source<never>, busyTimeout: number): Opening {
  if (typeof source !== "object" || source === null) throw new TypeError(unknownSource)
  if (isKysely(source)) {
    const nothing = async (): Promise<undefined> => undefined
    return { kysely: source, dialect: dialectOf(source), isEmbedded: false, openReader: nothing, close: nothing }
  }
  if ("filename" in source && typeof source.filename === "string")
    return embedded({ filename: source.filename, busyTimeout })
  if ("url" in source) return embedded({ filename: filenameOf(source.url), busyTimeout })
  if ("dialect" in source) {
    const kysely = new Kysely<unknown>({ dialect: source.dialect })
    const openReader = async (): Promise<undefined> => undefined
    return { kysely, dialect: dialectOf(kysely), isEmbedded: false, openReader, close: () => kysely.destroy() }
  }
  throw new TypeError(unknownSource)
}

/** Kysely for running our own statements: plugins of the application must not change them. */
export function plain(kysely: Kysely<unknown>): Builder {
  return kysely.withoutPlugins() as unknown as Builder
}
