/** What an application may say about the adapter, and which operations follow from it. */
import type { Adapter } from "@latchkey/core/adapters"
import { recordVerbs } from "@latchkey/core/records"
import type { CleanupOptions } from "./cleanup.js"
import type { DialectName } from "./dialects/select.js"
import type { Names } from "./names.js"
import type { Opening } from "./openings/opening.js"
import type { Batch } from "./single-statements.js"
import type { SessionTokens } from "./tokens.js"

/** How the adapter works. Everything has a default. */
export interface SqlAdapterOptions {
  /** Names of tables and columns, where they differ from the defaults. */
  readonly names?: Names
  /** The schema of the tables; on MySQL, the database. @default that of `kysely.withSchema(...)`, or the connection's own */
  readonly schema?: string
  /**
   * How session tokens are stored. `hashed` (SHA-256): a stolen copy of the table opens no session. `plain`: for tables
   * that another library reads, too. Both read both, and a row changes over when it is extended. @default "hashed"
   */
  readonly sessionTokens?: SessionTokens
  /** `auto`: migrations run before the first use. @default "auto" for a file, "manual" for what you opened yourself */
  readonly migrate?: "auto" | "manual"
  /** Milliseconds to wait for a connection, and again for a lock that somebody else holds. @default 5000 */
  readonly busyTimeout?: number
  /**
   * Milliseconds to wait for a server's answer to one statement; the connection is closed then. Migrations wait without
   * an end. @default 10000
   */
  readonly statementTimeout?: number
  /** Connections of the pool that is made from a URL, at most. @default 10 */
  readonly connections?: number
  /**
   * `false` where a proxy hands each transaction to another connection and does not know prepared statements (PgBouncer
   * before 1.21). On a pool of "pg" this shows by itself: the statements that were lost are asked again, and nothing is
   * prepared any more.
   * @default true
   */
  readonly preparedStatements?: boolean
  /**
   * `false` where the driver cannot hold a transaction open over several calls, as over HTTP (Cloudflare D1, Neon, remote
   * libsql). The adapter then has no operation `transaction`; with `batch` it has `createUserWithAccount`.
   * @default true
   */
  readonly transactions?: boolean
  /**
   * Runs several statements at once, all of them or none, where `transactions` is `false`. For Cloudflare D1:
   * `(statements) => env.DB.batch(statements.map((it) => env.DB.prepare(it.sql).bind(...it.parameters)))`. For Neon over
   * HTTP: `(statements) => sql.transaction(statements.map((it) => sql.query(it.sql, [...it.parameters])))`.
   */
  readonly batch?: Batch
  /**
   * Removes expired sessions and verification tokens in the background, in small steps, once the adapter has been used.
   * Not for functions that run for one request only: they call `deleteExpired` from a schedule.
   * @default never
   */
  readonly cleanup?: CleanupOptions
  /** The dialect of a Kysely instance whose own dialect is not one of Kysely's. @default detected */
  readonly dialect?: DialectName
}

/** Every operation, in the order of the interface. */
// biome-ignore format: a table, each group of operations stays on one line
const operationNames = [
  "createUser", "getUser", "getUserByEmail", "getUserByAccount", "updateUser", "deleteUser",
  "linkAccount", "unlinkAccount", "getAccount",
  "createSession", "getSessionAndUser", "updateSession", "deleteSession",
  "createVerificationToken", "useVerificationToken",
  "createAuthenticator", "getAuthenticator", "listAuthenticatorsByUserId", "updateAuthenticatorCounter",
  "transaction", "createUserWithAccount", "listAccountsByUserId", "deleteSessionsByUserId", "listSessionsByUserId", "updateAccount", "deleteExpired",
  ...recordVerbs,
] as const satisfies readonly (keyof Adapter)[]

/** The error if duplicates could not be prevented. */
export const needsKeys =
  "Without transactions only unique keys prevent duplicate users, and they are missing: run the migrations first."

/** Throws for a batch where there are transactions. */
export function checkBatch({ transactions, batch }: SqlAdapterOptions): void {
  if (batch === undefined || transactions === false) return
  throw new TypeError('The option "batch" is for databases without transactions: set "transactions: false" as well.')
}

/** Throws if single statements would have only disadvantages. */
export function mustRunSingly({ dialect, isEmbedded }: Opening): void {
  if (!isEmbedded && dialect.returning) return
  const what = isEmbedded ? "A SQLite file" : "MySQL"
  throw new TypeError(
    `"transactions: false" is for Kysely instances of SQLite or PostgreSQL. ${what} has transactions.`,
  )
}

/** Without transactions, some operations cannot be atomic. */
export function offeredOperations({ transactions = true, batch }: SqlAdapterOptions): readonly (keyof Adapter)[] {
  if (transactions) return operationNames
  return operationNames.filter(
    (name) => name !== "transaction" && (name !== "createUserWithAccount" || batch !== undefined),
  )
}
