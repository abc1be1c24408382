/** The adapter: opens the database when it is first needed, and does every operation on it. */
import type { Adapter } from "@latchkey/core/adapters"
import type { Kysely } from "kysely"
import { createDesk } from "./desk.js"
import { defaultBusyTimeout } from "./dialects/libsql.js"
import { readLayout, SchemaError } from "./layout.js"
import { isPending, migrate } from "./migrations.js"
import { type Names, resolveNames } from "./names.js"
import { createOperations } from "./operations/operations.js"
import { createRunner, type Runner } from "./runner.js"
import { type Opening, openingOf, plain, type Source } from "./source.js"
import { createTokenForms, type SessionTokens } from "./tokens.js"

/** How the adapter works. Everything has a default. */
export interface SqlAdapterOptions {
  /** Names of tables and columns, where they differ from the defaults. */
  readonly names?: Names
  /**
   * How session tokens are stored. `hashed` (SHA-256): a stolen copy of the table opens no session. `plain`: for tables
   * that another library reads, too. Both read both, and a row changes over when it is extended. @default "hashed"
   */
  readonly sessionTokens?: SessionTokens
  /** `auto`: migrations run before the first use. @default "auto" for a file, "manual" for what you opened yourself */
  readonly migrate?: "auto" | "manual"
  /** Milliseconds to wait for a connection, and again for a lock that somebody else holds. @default 5000 */
  readonly busyTimeout?: number
}

/** An adapter with every operation, and the database under it. */
export interface SqlAdapter<Database = unknown> extends Required<Adapter> {
  /** Brings the tables up to date and names the steps taken. May be called again, and by several processes at once. */
  migrate(): Promise<string[]>
  /** Closes what the adapter opened. A Kysely instance that was handed in stays open. */
  close(): Promise<void>
  /** The database, for queries of your own. */
  readonly kysely: Kysely<Database>
}

/** Every operation, in the order of the interface. */
// biome-ignore format: a list
const operationNames = [
  "createUser", "getUser", "getUserByEmail", "getUserByAccount", "updateUser", "deleteUser",
  "linkAccount", "unlinkAccount", "getAccount",
  "createSession", "getSessionAndUser", "updateSession", "deleteSession",
  "createVerificationToken", "useVerificationToken",
  "createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId", "updateAuthenticatorCounter",
  "transaction", "createUserWithAccount", "deleteSessionsByUserId", "listSessionsByUserId", "updateAccount", "deleteExpired",
] as const satisfies readonly (keyof Adapter)[]

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

/** The runner on the opened database, and a way to close it for good. */
function connect(opening: Opening, patience: number): { runner: () => Promise<Runner>; close: () => Promise<void> } {
  let isClosed = false
  const { kysely, dialect } = opening
  const runner = once(async () => {
    const reader = await opening.openReader()
    return createRunner({ kysely: plain(kysely), dialect, patience, ...(reader ? { readAside: reader.read } : {}) })
  })
  return {
    runner() {
      if (isClosed) return Promise.reject(new Error("The adapter is closed."))
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
 * ```
 *
 * @param source a SQLite file, a URL (`file:app.db`), a Kysely dialect, or a Kysely instance
 */
export function sqlAdapter<Database = unknown>(
  source: Source<Database>,
  options: SqlAdapterOptions = {},
): SqlAdapter<Database> {
  const { busyTimeout = defaultBusyTimeout, sessionTokens = "hashed" } = options
  const names = resolveNames(options.names)
  const opening = openingOf(source as Source<never>, busyTimeout)
  const { dialect } = opening
  const connection = connect(opening, busyTimeout)
  const plan = { dialect, names }
  const isAutomatic = (options.migrate ?? (opening.isEmbedded ? "auto" : "manual")) === "auto"
  const opened = once(async () => {
    const runner = await connection.runner()
    if (isAutomatic && (await isPending(runner, plan))) await migrate(runner, plan)
    const layout = await readLayout(runner, dialect, names)
    const operations = createOperations(createDesk(layout, dialect, createTokenForms(sessionTokens)), runner)
    return operations as unknown as Readonly<Record<string, Operation>>
  })
  const operate = async (name: string, args: unknown[]): Promise<unknown> => {
    await connection.runner()
    try {
      return await (await opened.get())[name]?.(...args)
    } catch (error) {
      // The tables may be mended while we run.
      if (error instanceof SchemaError) opened.forget()
      throw error
    }
  }
  const operations = Object.fromEntries(
    operationNames.map((name) => [name, (...args: unknown[]) => operate(name, args)]),
  ) as unknown as Required<Adapter>
  return {
    ...operations,
    async migrate() {
      const taken = await migrate(await connection.runner(), plan)
      opened.forget()
      return taken
    },
    close: connection.close,
    kysely: opening.kysely as Kysely<Database>,
  }
}
