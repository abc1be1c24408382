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

/** A statement with its values. */
export interface Asked {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** An open database whose statements are prepared once. */
export interface EmbeddedDatabase extends SqliteDatabase {
  readonly isMemory: boolean
  /** The rows of a statement that changes nothing. */
  rows(query: Asked, options?: { readonly isSingle?: boolean }): Record<string, unknown>[]
}

export const defaultBusyTimeout = 5000

/** How many prepared statements are kept; the one unused for longest goes first. */
const keptStatements = 200

/** A statement of the driver. Without names, a row is a list of values, which takes it much less time. */
interface NativeStatement extends SqliteStatement {
  raw(isRaw: boolean): NativeStatement
  columns(): readonly { readonly name: string }[]
  get(parameters: readonly unknown[]): unknown
}

interface Native {
  prepare(sql: string): NativeStatement
  exec(sql: string): unknown
  close(): unknown
}

/** The driver crashes on a boolean, and cuts strings at a zero byte, so neither is passed to it. */
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

/** Opens the file; the error for one that cannot be opened says why. */
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
      await retry(async () => native.prepare("pragma journal_mode = wal").all([]), {
        isBusy: sqlite.faults.isBusy,
        patience,
      })
    }
    native.exec("pragma foreign_keys = on")
  } catch (error) {
    native.close()
    throw error
  }
  return withKeptStatements(native, isMemory)
}

/** Caches the value made for a string; the least recently used goes first. */
function keeping<T>(make: (text: string) => T): { of(text: string): T; clear(): void } {
  const kept = new Map<string, T>()
  return {
    of(text) {
      const found = kept.get(text) ?? make(text)
      kept.delete(text)
      kept.set(text, found)
      const oldest = kept.size > keptStatements ? kept.keys().next() : undefined
      if (oldest?.value !== undefined) kept.delete(oldest.value)
      return found
    },
    clear: () => kept.clear(),
  }
}

type Reading = (parameters: readonly unknown[], isSingle: boolean) => Record<string, unknown>[]

/** Reads rows as lists and names the values here. */
function readerOf(statement: NativeStatement): Reading {
  const names = statement.columns().map(({ name }) => name)
  const raw = statement.raw(true)
  const named = (values: readonly unknown[]): Record<string, unknown> => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index]
    return row
  }
  return (parameters, isSingle) => {
    if (!isSingle) return (raw.all(bindable(parameters)) as unknown[][]).map(named)
    const values = raw.get(bindable(parameters)) as unknown[] | undefined
    return values ? [named(values)] : []
  }
}

function withKeptStatements(native: Native, isMemory: boolean): EmbeddedDatabase {
  let open = true
  const mustBeOpen = (): void => {
    if (!open) throw new Error("The database connection is closed.")
  }
  const fresh = (text: string): SqliteStatement => guarded(native.prepare(text), () => open)
  const statements = keeping(fresh)
  const readers = keeping((text) => readerOf(native.prepare(text)))
  return {
    isMemory,
    prepare(text) {
      mustBeOpen()
      // A cursor stays open between rows, so it gets a statement of its own.
      return { ...statements.of(text), iterate: (parameters) => fresh(text).iterate(parameters) }
    },
    rows({ sql, parameters }, { isSingle = false } = {}) {
      mustBeOpen()
      return readers.of(sql)(parameters, isSingle)
    },
    close() {
      if (open) native.close()
      open = false
      statements.clear()
      readers.clear()
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
