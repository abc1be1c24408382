/** A store that keeps nothing but records, for use beside an adapter that keeps none. */
import type { DeleteExpiredOptions, ExpiredRows } from "@latchkey/core/adapters"
import { type RecordStore, recordVerbs } from "@latchkey/core/records"
import type { SqlCheck } from "../check.js"
import { readCleanup, startCleanup } from "../cleanup.js"
import { once, openSource } from "../connected.js"
import { inspectRecords, sessionMisfits } from "../inspection.js"
import { SchemaError } from "../layout.js"
import { calmPace, removeFrom } from "../operations/expired.js"
import type { SqlAdapterOptions } from "../options.js"
import type { Runner } from "../runner.js"
import type { Source } from "../source.js"
import { migrateRecords, pendingRecords, problemsOfRecords } from "./migrations.js"
import { createRecordTable, type RecordTable } from "./operations.js"

/** How the store works: as the options of {@link sqlAdapter} of the same names. */
export interface SqlRecordsOptions
  extends Pick<
    SqlAdapterOptions,
    | "schema"
    | "migrate"
    | "busyTimeout"
    | "statementTimeout"
    | "connections"
    | "preparedStatements"
    | "transactions"
    | "cleanup"
    | "dialect"
  > {
  /** The name of the table. @default "latchkey_records" */
  readonly table?: string
}

type Promised<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Answer
    ? (...args: Args) => Promise<Awaited<Answer>>
    : never
}

/** A store of records, and the database under it. */
export interface SqlRecords extends Promised<RecordStore> {
  /** Removes records that ended before `now`, in small steps, and says how many. */
  deleteExpired(now: Date, options?: DeleteExpiredOptions): Promise<ExpiredRows>
  /** Makes the table, and names the steps taken. May be called again, and by several processes at once. */
  migrate(): Promise<string[]>
  /** Compares the table with what must be. Changes nothing. */
  check(): Promise<SqlCheck>
  /** Closes what the store opened. A pool or a Kysely instance that was handed in stays open. */
  close(): Promise<void>
}

/**
 * Makes a store of records on a SQL database, for `records` of the configuration: beside adapters that keep no records,
 * such as those for Prisma and Drizzle.
 *
 * @example
 * ```ts
 * import { sqlRecords } from "@latchkey/sql-adapter"
 *
 * export const records = sqlRecords("postgresql://app@db.example/app")
 * ```
 *
 * @param source as for {@link sqlAdapter}
 * @throws TypeError for a source it does not know, and for a name that is none
 */
export function sqlRecords<Database = unknown>(
  source: Source<Database>,
  { table, ...options }: SqlRecordsOptions = {},
): SqlRecords {
  const names = table === undefined ? {} : { names: { records: table } }
  const { connection, plan, isAutomatic } = openSource(source, { ...options, ...names })
  const cleanup = readCleanup(options.cleanup)
  let background: { readonly stop: () => void } | undefined
  const opened = once(async (): Promise<{ readonly runner: Runner; readonly records: RecordTable }> => {
    const runner = await connection.runner()
    const misfits = await sessionMisfits(plan, runner)
    if (misfits.length > 0) throw new SchemaError(misfits.join(" "))
    const layout = await inspectRecords(runner, plan, isAutomatic)
    if (layout instanceof SchemaError) throw layout
    if (cleanup) background ??= startCleanup(cleanup, () => deleteExpired(new Date()))
    return { runner, records: createRecordTable(layout, plan.dialect) }
  })
  const store = async (): Promise<RecordStore> => {
    connection.mustBeOpen()
    const { runner, records } = await opened.get()
    return records.on(runner)
  }
  async function deleteExpired(now: Date, { onProgress }: DeleteExpiredOptions = {}): Promise<ExpiredRows> {
    connection.mustBeOpen()
    const { runner, records } = await opened.get()
    const removed = { sessions: 0, verificationTokens: 0, records: 0 }
    await removeFrom(records.layout, { dialect: plan.dialect, runner, pace: calmPace, now }, (rows) => {
      removed.records += rows
      onProgress?.({ ...removed })
    })
    return removed
  }
  const verbs = Object.fromEntries(
    recordVerbs.map((verb) => [
      verb,
      async (...args: never[]) => ((await store())[verb] as (...given: never[]) => unknown)(...args),
    ]),
  ) as unknown as Promised<RecordStore>
  return {
    ...verbs,
    deleteExpired,
    async migrate() {
      const taken = await migrateRecords(await connection.runner(), plan)
      opened.forget()
      return taken
    },
    async check() {
      const runner = await connection.runner()
      return {
        pending: await pendingRecords(runner, plan),
        problems: [...(await sessionMisfits(plan, runner)), ...(await problemsOfRecords(runner, plan))],
        notes: [],
      }
    },
    close() {
      background?.stop()
      return connection.close()
    },
  }
}
