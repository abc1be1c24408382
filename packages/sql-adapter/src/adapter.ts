/** The adapter: opens the database at the first use, and runs every operation on it. */
import type { Adapter } from "@latchkey/core/adapters"
import type { Kysely } from "kysely"
import { checkTables, type SqlCheck } from "./check.js"
import { readCleanup, startCleanup } from "./cleanup.js"
import { once, openSource } from "./connected.js"
import { createDesk } from "./desk.js"
import { inspect } from "./inspection.js"
import { SchemaError } from "./layout.js"
import { migrate, printPending } from "./migrations.js"
import { createOperations } from "./operations/operations.js"
import { checkBatch, needsKeys, offeredOperations, type SqlAdapterOptions } from "./options.js"
import { migrateRecords } from "./records/migrations.js"
import type { Source } from "./source.js"
import { createTokenForms } from "./tokens.js"

/** An adapter with every operation, and its Kysely instance. */
export interface SqlAdapter<Database = unknown> extends Required<Adapter> {
  /**
   * Brings the tables up to date and returns the names of the steps that ran. Can be called repeatedly, and by several
   * processes at once.
   */
  migrate(): Promise<string[]>
  /** Compares the tables with the requirements, and describes what is missing and what to know. Changes nothing. */
  check(): Promise<SqlCheck>
  /**
   * What {@link migrate} would run on the tables that are there, as SQL with a statement on each line or more; empty where
   * nothing is missing. Changes nothing, and refuses what {@link migrate} refuses.
   */
  print(): Promise<string>
  /** Closes what the adapter opened. A Kysely instance that was passed stays open. */
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
 * @throws TypeError for an unknown source, for invalid names, and for options that exclude each other
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
  const { sessionTokens = "hashed" } = options
  const { opening, connection, plan, isAutomatic } = openSource(source, options)
  const { dialect } = plan
  const cleanup = readCleanup(options.cleanup)
  let background: { readonly stop: () => void } | undefined
  const opened = once(async () => {
    const runner = await connection.runner()
    const { layout, hasKeys, records } = await inspect(runner, plan, isAutomatic)
    if (!hasKeys && options.transactions === false) throw new SchemaError(needsKeys)
    const desk = createDesk({
      layout,
      records,
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
  ) as unknown as Required<Adapter>
  return {
    ...operations,
    emptyEmail: true,
    comparesExactly: true,
    async migrate() {
      const runner = await connection.runner()
      const taken = [...(await migrate(runner, plan)), ...(await migrateRecords(runner, plan))]
      opened.forget()
      return taken
    },
    print: async () => printPending(await connection.runner(), plan),
    close: () => {
      background?.stop()
      return connection.close()
    },
    check: async () => ({
      ...(await checkTables(await connection.runner(), plan)),
      ...(isAutomatic && { isAutomatic: true as const }),
    }),
    kysely: opening.kysely as Kysely<Database>,
  }
}
