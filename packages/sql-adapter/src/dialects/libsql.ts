/** The embedded SQLite database: libsql, which ships ready-made for every platform and has better-sqlite3's interface. */
import { existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { Dialect, SqliteDatabase, SqliteStatement } from "kysely"
import { SqliteDialect } from "kysely"
import { retry } from "../turns.js"
import { storableText } from "../values.js"
import { sqlite } from "./sqlite.js"

/** How to open the file. */
export interface SqliteOptions {
  /** Path of the file, or `:memory:`. */
  readonly filename: string
  /** Milliseconds to wait while another process writes. @default 5000 */
  readonly busyTimeout?: number
}

/** An open database whose statements are prepared once. */
export interface EmbeddedDatabase extends SqliteDatabase {
  readonly isMemory: boolean
}

export const defaultBusyTimeout = 5000

/** How many prepared statements are kept; the one unused for longest goes first. */
const keptStatements = 200

interface Native {
  prepare(sql: string): SqliteStatement
  exec(sql: string): unknown
  close(): unknown
}

/** The driver ends the whole process over a boolean, and texts at a zero byte: neither reaches it. */
function bindable(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value) => {
    if (typeof value === "boolean") return value ? 1 : 0
    if (value === null || value === undefined) return null
    if (typeof value === "string") return storableText(value)
    if (typeof value === "bigint" || value instanceof Uint8Array) return value
    if (typeof value === "number" && !Number.isNaN(value)) return value
    throw new TypeError(`SQLite cannot store a ${value instanceof Date ? "Date" : typeof value} as it is.`)
  })
}

function guarded(statement: SqliteStatement, isOpen: () => boolean): SqliteStatement {
  const mustBeOpen = (): void => {
    if (!isOpen()) throw new Error("The database connection is closed.")
  }
  return {
    reader: statement.reader,
    all(parameters) {
      mustBeOpen()
      return statement.all(bindable(parameters))
    },
    run(parameters) {
      mustBeOpen()
      return statement.run(bindable(parameters))
    },
    iterate(parameters) {
      mustBeOpen()
      return statement.iterate(bindable(parameters))
    },
  }
}

async function load(): Promise<new (filename: string) => Native> {
  try {
    const { default: Database } = await import("libsql")
    return Database as unknown as new (
      filename: string,
    ) => Native
  } catch (cause) {
    throw new Error('The package "libsql" is needed for SQLite files: npm install libsql', { cause })
  }
}

/** Opens the file; what cannot be opened is told with its reason. */
function open(Database: new (filename: string) => Native, filename: string): Native {
  const folder = dirname(resolve(filename))
  if (filename !== ":memory:" && !existsSync(folder)) {
    throw new Error(`Cannot open "${filename}": there is no folder "${folder}".`)
  }
  try {
    return new Database(filename)
  } catch (cause) {
    throw new Error(`Cannot open "${filename}" as a SQLite database.`, { cause })
  }
}

/** Opens a connection: write-ahead log, so that readers and a writer do not wait for each other, and foreign keys. */
export async function openEmbedded(options: SqliteOptions): Promise<EmbeddedDatabase> {
  const { filename, busyTimeout: patience = defaultBusyTimeout } = options
  const native = open(await load(), filename)
  const isMemory = filename === ":memory:"
  try {
    if (!isMemory) {
      // Switching needs the file for a moment; other processes may be starting, too.
      await retry(async () => native.prepare("pragma journal_mode = wal").all([]), { isBusy: sqlite.isBusy, patience })
    }
    native.exec("pragma foreign_keys = on")
  } catch (error) {
    native.close()
    throw error
  }
  return withKeptStatements(native, isMemory)
}

function withKeptStatements(native: Native, isMemory: boolean): EmbeddedDatabase {
  const kept = new Map<string, SqliteStatement>()
  let open = true
  const fresh = (text: string): SqliteStatement => guarded(native.prepare(text), () => open)
  return {
    isMemory,
    prepare(text) {
      if (!open) throw new Error("The database connection is closed.")
      const found = kept.get(text) ?? fresh(text)
      kept.delete(text)
      kept.set(text, found)
      const oldest = kept.size > keptStatements ? kept.keys().next() : undefined
      if (oldest?.value !== undefined) kept.delete(oldest.value)
      // A cursor stays open between rows, so it gets a statement of its own.
      return { ...found, iterate: (parameters) => fresh(text).iterate(parameters) }
    },
    close() {
      if (open) native.close()
      open = false
      kept.clear()
    },
  }
}

/**
 * Kysely's dialect for a SQLite file, for queries of your own on the same file.
 *
 * @example
 * ```ts
 * import { sqliteDialect } from "@latchkey/sql-adapter"
 * import { Kysely } from "kysely"
 *
 * export const database = new Kysely<unknown>({ dialect: sqliteDialect({ filename: "app.db" }) })
 * ```
 */
export function sqliteDialect(options: SqliteOptions): Dialect {
  return new SqliteDialect({ database: () => openEmbedded(options) })
}
