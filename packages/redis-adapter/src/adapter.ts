/** The adapter: opens the connection when it is first needed, and does every operation on it. */
import type { Adapter, AdapterSession, ExpiredRows } from "@latchkey/core/adapters"
import { createConnection } from "./connection.js"
import type { Desk } from "./desk.js"
import { checkServer } from "./health.js"
import { createKeys } from "./keys.js"
import { accountOperations } from "./operations/accounts.js"
import { credentialOperations } from "./operations/credentials.js"
import { type RecordOperations, recordOperations } from "./operations/records.js"
import { sessionOperations } from "./operations/sessions.js"
import { userOperations } from "./operations/users.js"
import type { Promised } from "./promised.js"
import { openingOf, type Source } from "./source.js"

/** How the adapter works. Everything has a default. */
export interface RedisAdapterOptions {
  /** What all keys begin with: letters, digits and `_:.-`. @default "latchkey" */
  readonly prefix?: string
  /** Milliseconds an operation may take before it is rejected, connecting included. @default 3000 */
  readonly timeout?: number
  /**
   * Called with errors of the connection, and for values that cannot be read. Operations that fail reject in any case.
   * Whatever it throws is ignored. @default no one is notified
   */
  readonly onError?: (error: Error) => void
}

/** An adapter with every operation but `transaction`, and what it takes to keep sessions for {@link combine}. */
export interface RedisAdapter extends Promised<Omit<Adapter, "transaction" | "emptyEmail" | "comparesExactly">> {
  /** Any number of users without an address can be stored. */
  readonly emptyEmail: true
  /** Keys of Redis are bytes. */
  readonly comparesExactly: true
  /** The session without its user, or `null`. */
  getSession(sessionToken: string): Promise<AdapterSession | null>
  /** Redis needs no tables: does nothing, and names no steps. */
  migrate(): Promise<string[]>
  /** Says what in the settings of the server would lose sessions or people; empty when all is well. Needs the command INFO. */
  check(): Promise<string[]>
  /** Closes the connection the adapter opened. A client that was handed in stays open. */
  close(): Promise<void>
}

/** How long an operation may take, in milliseconds. */
const defaultTimeout = 3000

function checkedTimeout(timeout: number): number {
  if (Number.isFinite(timeout) && timeout > 0) return timeout
  throw new TypeError(`"timeout": expected a number of milliseconds above 0, received ${timeout}.`)
}

/** A listener that fails must not break what it listens to. */
function quiet(listener: ((error: Error) => void) | undefined): (error: Error) => void {
  return (error) => {
    try {
      listener?.(error)
    } catch {
      // There is no one left to notify.
    }
  }
}

/** What operations work with. Nothing is opened yet. */
function deskOf(source: Source, options: RedisAdapterOptions): Desk {
  const timeout = checkedTimeout(options.timeout ?? defaultTimeout)
  const onError = quiet(options.onError)
  const connection = createConnection({ opening: openingOf(source, timeout), timeout, onError })
  return { connection, keys: createKeys(options.prefix), onError }
}

/**
 * Makes an adapter on Redis or Valkey (6.2 or later). Nothing is opened before the first operation.
 *
 * Rejects with a {@link RedisError} when the server cannot be reached, does not answer in time or refuses.
 *
 * @example
 * ```ts
 * import { redisAdapter } from "@latchkey/redis-adapter"
 *
 * export const adapter = redisAdapter({ url: "redis://localhost:6379" })
 * ```
 *
 * @param source an address, or a client of the `redis` package: single, pool or cluster
 * @throws TypeError when the source, the prefix or the timeout are none
 */
export function redisAdapter(source: Source, options: RedisAdapterOptions = {}): RedisAdapter {
  const desk = deskOf(source, options)
  const sessions = sessionOperations(desk)
  return {
    emptyEmail: true,
    comparesExactly: true,
    ...userOperations(desk, async (userId) => sessions.deleteSessionsByUserId(userId)),
    ...accountOperations(desk),
    ...sessions,
    ...credentialOperations(desk),
    ...recordOperations(desk),
    // Redis forgets what has ended by itself.
    deleteExpired: async () => ({ sessions: 0, verificationTokens: 0, records: 0 }),
    migrate: async () => [],
    check: () => checkServer(desk),
    close: desk.connection.close,
  }
}

/** A store of records, and the connection under it. */
export interface RedisRecords extends RecordOperations {
  /** Redis forgets what has ended by itself: removes nothing. */
  deleteExpired(now: Date): Promise<ExpiredRows>
  /** Says what in the settings of the server would lose records; empty when all is well. Needs the command INFO. */
  check(): Promise<string[]>
  /** Closes the connection the store opened. A client that was handed in stays open. */
  close(): Promise<void>
}

/**
 * Makes a store of records on Redis or Valkey, for `records` of the configuration: beside an adapter that keeps none.
 * Rejects with a {@link RedisError} as {@link redisAdapter} does.
 *
 * @example
 * ```ts
 * import { redisRecords } from "@latchkey/redis-adapter"
 *
 * export const records = redisRecords({ url: "redis://localhost:6379" })
 * ```
 *
 * @param source an address, or a client of the `redis` package: single, pool, Sentinel or cluster
 * @throws TypeError when the source, the prefix or the timeout are none
 */
export function redisRecords(source: Source, options: RedisAdapterOptions = {}): RedisRecords {
  const desk = deskOf(source, options)
  return {
    ...recordOperations(desk),
    deleteExpired: async () => ({ sessions: 0, verificationTokens: 0, records: 0 }),
    check: () => checkServer(desk),
    close: desk.connection.close,
  }
}
