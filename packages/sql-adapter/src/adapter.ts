/** The adapter: opens the database when it is first needed, and does every operation on it. */
import type { Adapter, RecordStore } from "@latchkey/core/adapters"
import type { Kysely } from "kysely"
import { checkTables, type SqlCheck } from "./check.js"
import { readCleanup, startCleanup } from "./cleanup.js"
import { createRunner } from "./connected-runner.js"
import { exact } from "./connections/connection.js"
import { createDesk } from "./desk.js"
import { defaultBusyTimeout } from "./dialects/libsql.js"
import { inspect } from "./inspection.js"
import { SchemaError } from "./layout.js"
import { migrate } from "./migrations.js"
import { resolveNames } from "./names.js"
import type { Opening } from "./openings/opening.js"
import { createOperations } from "./operations/operations.js"
import { checkBatch, mustRunSingly, needsKeys, offeredOperations, type SqlAdapterOptions } from "./options.js"
import type { Runner } from "./runner.js"
import { createSingleRunner } from "./single-statements.js"
import { openingOf, type Source } from "./source.js"
import { createTokenForms } from "./tokens.js"

/** An adapter with every operation, and the database under it. */
export interface SqlAdapter<Database = unknown>
  extends Required<Omit<Adapter, keyof RecordStore>>,
    Partial<RecordStore> {
  /** Brings the tables up to date and names the steps taken. May be called again, and by several processes at once. */
  migrate(): Promise<string[]>
  /** Compares the tables with what must be, and says in words what is missing and what to know. Changes nothing. */
  check(): Promise<SqlCheck>
  /** Closes what the adapter opened. A Kysely instance that was handed in stays open. */
  close(): Promise<void>
  /** The database, for queries of your own. */
  readonly kysely: Kysely<Database>
}

/** An adapter on a database without transactions: see the option `transactions`. */
export type SqlAdapterWithoutTransactions<Database = unknown> = Omit<
  SqlAdapter<Database>,
  "transaction" | "createUserWithAccount"
> &
  Pick<Adapter, "createUserWithAccount">

type Operation = (...args: unknown[]) => Promise<unknown>

/** Makes something once, for all who ask meanwhile; a failure is forgotten, so that the next one tries again. */
function once<T>(make: () => Promise<T>): { get(): Promise<T>; forget(): void } {
  let made: Promise<T> | undefined
  return {
    get() {
      made ??= make().catch((error: unknown) => {
        made = undefined
        throw error
      })
      return made
    },
    forget() {
      made = undefined
    },
  }
}

/** How long to wait. */
interface Patience {
  readonly patience: number
  readonly deadline: number
}

/** The runner on the opened database, and a way to close it for good. */
interface Connected {
  mustBeOpen(): void
  runner(): Promise<Runner>
  close(): Promise<void>
}

function connect(
  opening: Opening,
  patience: Patience,
  { transactions = true, batch }: Pick<SqlAdapterOptions, "transactions" | "batch">,
): Connected {
  let isClosed = false
  const { dialect } = opening
  const connections = exact(opening.connections, dialect)
  const runner = once(async () => {
    if (!transactions) return createSingleRunner({ connections, dialect, ...patience, batch })
    const reader = await opening.openReader()
    return createRunner({ connections, dialect, ...patience, ...(reader ? { readAside: reader.read } : {}) })
  })
  const mustBeOpen = (): void => {
    if (isClosed) throw new Error("The adapter is closed.")
  }
  return {
    mustBeOpen,
    async runner() {
      mustBeOpen()
      return runner.get()
    },
    async close() {
      isClosed = true
      await opening.close()
    },
  }
}

/**
 * Makes an adapter on a SQL database.
 *
 * @example
 * ```ts
 * import { sqlAdapter } from "@latchkey/sql-adapter"
 *
 * export const adapter = sqlAdapter({ filename: "app.db" })
 * export const onServer = sqlAdapter("postgresql://app@db.example/app")
 * ```
 *
 * @param source a SQLite file, a URL (`file:`, `postgresql:`, `mysql:`, `mariadb:`), a pool of "pg" or "mysql2", a Kysely
 * dialect, or a Kysely instance
 * @throws TypeError for a source it does not know, for names that are none, and for options that do not go together
 */
export function sqlAdapter<Database = unknown>(
  source: Source<Database>,
  options: SqlAdapterOptions & { readonly transactions: false },
): SqlAdapterWithoutTransactions<Database>
export function sqlAdapter<Database = unknown>(
  source: Source<Database>,
  options?: SqlAdapterOptions,
): SqlAdapter<Database>
export function sqlAdapter<Database = unknown>(
  source: Source<Database>,
  options: SqlAdapterOptions = {},
): SqlAdapter<Database> {
  checkBatch(options)
  const { busyTimeout = defaultBusyTimeout, sessionTokens = "hashed", statementTimeout = 10_000 } = options
  const { connections = 10, preparedStatements: prepares = true } = options
  const opening = openingOf(source as Source<never>, { busyTimeout, connections, prepares, dialect: options.dialect })
  const { dialect } = opening
  const schema = options.schema ?? opening.schema
  if (schema !== undefined && !dialect.hasSchemas) throw new TypeError(`There are no schemas in ${dialect.name}.`)
  const names = resolveNames(options.names, schema)
  const connection = connect(opening, { patience: busyTimeout, deadline: statementTimeout }, options)
  if (options.transactions === false) mustRunSingly(opening)
  const plan = { dialect, names }
  const cleanup = readCleanup(options.cleanup)
  let background: { readonly stop: () => void } | undefined
  const isAutomatic = (options.migrate ?? (opening.isEmbedded ? "auto" : "manual")) === "auto"
  const opened = once(async () => {
    const runner = await connection.runner()
    const { layout, hasKeys } = await inspect(runner, plan, isAutomatic)
    if (!hasKeys && options.transactions === false) throw new SchemaError(needsKeys)
    const desk = createDesk({
      layout,
      dialect,
      tokens: createTokenForms(sessionTokens),
      hasKeys,
      now: () => new Date(),
    })
    const operations = createOperations(desk, runner)
    if (cleanup) background ??= startCleanup(cleanup, async () => operate("deleteExpired", [new Date()]))
    return operations as unknown as Readonly<Record<string, Operation>>
  })
  const operate = async (name: string, args: unknown[]): Promise<unknown> => {
    connection.mustBeOpen()
    try {
      return await (await opened.get())[name]?.(...args)
    } catch (error) {
      // The tables may be repaired while the process runs.
      if (error instanceof SchemaError) opened.forget()
      throw error
    }
  }
  const operations = Object.fromEntries(
    offeredOperations(options).map((name) => [name, (...args: unknown[]) => operate(name, args)]),
  ) as unknown as Required<Omit<Adapter, keyof RecordStore>>
  return {
    ...operations,
    emptyEmail: true,
    async migrate() {
      const taken = await migrate(await connection.runner(), plan)
      opened.forget()
      return taken
    },
    close: () => {
      background?.stop()
      return connection.close()
    },
    check: async () => checkTables(await connection.runner(), plan),
    kysely: opening.kysely as Kysely<Database>,
  }
}
