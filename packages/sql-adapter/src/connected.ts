/** An opened database, once for all who ask, and closed for good. */
import { createRunner } from "./connected-runner.js"
import { exact } from "./connections/connection.js"
import { defaultBusyTimeout } from "./dialects/libsql.js"
import { resolveNames } from "./names.js"
import type { Opening } from "./openings/opening.js"
import { mustRunSingly, type SqlAdapterOptions } from "./options.js"
import type { Runner } from "./runner.js"
import { createSingleRunner } from "./single-statements.js"
import { openingOf, type Source } from "./source.js"
import type { Plan } from "./statements.js"

/** Makes something once, for all who ask meanwhile; a failure is forgotten, so that the next one tries again. */
export function once<T>(make: () => Promise<T>): { get(): Promise<T>; forget(): void } {
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
export interface Connected {
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
  const connections = exact(opening)
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

/** A source that was made out, and how to work on it. */
interface OpenSource {
  readonly opening: Opening
  readonly connection: Connected
  readonly plan: Plan
  /** Tables are made before the first use. */
  readonly isAutomatic: boolean
}

/** Finds out what was given, and prepares to open it. */
export function openSource<Database>(source: Source<Database>, options: SqlAdapterOptions): OpenSource {
  const { busyTimeout = defaultBusyTimeout, statementTimeout = 10_000 } = options
  const { connections = 10, preparedStatements: prepares = true } = options
  const opening = openingOf(source as Source<never>, { busyTimeout, connections, prepares, dialect: options.dialect })
  const { dialect } = opening
  const schema = options.schema ?? opening.schema
  if (schema !== undefined && !dialect.hasSchemas) throw new TypeError(`There are no schemas in ${dialect.name}.`)
  const names = resolveNames(options.names, schema)
  const connection = connect(opening, { patience: busyTimeout, deadline: statementTimeout }, options)
  if (options.transactions === false) mustRunSingly(opening)
  const isAutomatic = (options.migrate ?? (opening.isEmbedded ? "auto" : "manual")) === "auto"
  return { opening, connection, plan: { dialect, names }, isAutomatic }
}
