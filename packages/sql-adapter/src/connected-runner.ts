/** The runner on connections: single statements, and transactions that are retried after conflicts. */
import type { CompiledQuery, QueryResult } from "kysely"
import type { Connection, Connections } from "./connections/connection.js"
import type { Faults, Row, SqlDialect } from "./dialects/dialect.js"
import { errorWithoutValues } from "./duplicates.js"
import type { ReadOptions, Runner, WorkOptions } from "./runner.js"
import { failureOf, giveBack, inside, outermost, undo, type Whole } from "./transaction.js"
import { pause, retry, within } from "./turns.js"

/** What it takes to run. */
export interface RunnerParts {
  readonly connections: Connections
  readonly dialect: SqlDialect
  /** Milliseconds to wait for a connection, and again for a lock. */
  readonly patience: number
  /** Milliseconds to wait for the answer to one statement. */
  readonly deadline?: number
  /** Reads beside the connection that writes, where there is a second one. */
  readonly readAside?: (query: CompiledQuery, options?: ReadOptions) => Row[]
}

/** Milliseconds to wait for the lock of long work, which another process is doing at the moment. */
const longPatience = 600_000

/** How often a transaction that could not begin is begun on another connection, and the least for one in conflict with others. */
const mostTries = 8

/** Runs again what failed, as long as it may be tried; `count` is how often it has been run again. */
async function again<T>(work: () => Promise<T>, mayTry: (error: unknown, count: number) => boolean): Promise<T> {
  for (let count = 0; ; count += 1) {
    try {
      return await work()
    } catch (error) {
      if (!mayTry(error, count)) throw error
      await pause(Math.min(5 * 2 ** count, 200))
    }
  }
}

/** Does a work, and once more in the way of `then` after a fault where that helps. */
async function orAgain<T>(
  work: () => Promise<T>,
  helps: (error: unknown) => boolean,
  then: (work: () => Promise<T>) => Promise<T> = (again) => again(),
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!helps(error)) throw error
    return await then(work)
  }
}

type Step = (step: () => Promise<unknown>) => Promise<unknown>

/** How a transaction is begun and committed while others hold locks. */
interface Ends {
  readonly isReady: Step
  readonly isDone: Step
}

/** One try of a transaction. */
async function attempt<T>(
  { dialect, patience }: RunnerParts,
  connection: Connection,
  { work, isReady, isDone }: { work: (runner: Runner) => Promise<T> } & Ends,
): Promise<T> {
  const whole: Whole = { connection, dialect, patience, locks: new Set(), isOpen: true }
  const level = outermost()
  try {
    await isReady(() => connection.begin(dialect.begin))
  } catch (error) {
    // Nothing has been written yet: another connection serves as well.
    throw dialect.faults.isLost(error) ? new Conflict(error) : error
  }
  try {
    const result = await work(inside(whole, level))
    whole.isOpen = false
    const failure = failureOf(whole, level)
    if (failure) throw failure.error
    await isDone(() => connection.commit())
    return result
  } catch (error) {
    whole.isOpen = false
    await undo(connection, () => connection.rollback())
    throw whole.conflict ? new Conflict(error) : error
  } finally {
    await giveBack(whole)
  }
}

/** Marks the error of work whose transaction the database aborted. */
class Conflict extends Error {
  readonly error: unknown

  constructor(error: unknown) {
    super("The database aborted the transaction because of another one.")
    this.error = error
  }
}

function endsOf(faults: Faults, patience: number): Ends {
  const isBusy = (error: unknown): boolean => faults.isBusy(error) && !faults.isConflict(error)
  const orConflict =
    (isIt: (error: unknown) => boolean) =>
    (error: unknown): never => {
      throw isIt(error) ? new Conflict(error) : error
    }
  const isReady: Step = (step) => retry(step, { isBusy, patience }).catch(orConflict(faults.isConflict))
  // Where the database has ended the transaction, a second commit would succeed without having written anything.
  const isGivenUp = (error: unknown): boolean => faults.isBusy(error) || faults.isConflict(error)
  return { isReady, isDone: faults.canCommitAgain ? isReady : (step) => step().catch(orConflict(isGivenUp)) }
}

/** A runner that begins its own transactions. */
export function createRunner(parts: RunnerParts): Runner {
  const { connections, dialect, patience, deadline, readAside } = parts
  const { faults } = dialect
  const patiently = <T>(work: () => Promise<T>): Promise<T> => retry(work, { isBusy: faults.isBusy, patience })
  const connected = <T>(
    work: (connection: Connection) => Promise<T>,
    { isSlow = false }: WorkOptions = {},
  ): Promise<T> => {
    let connection: Connection
    const enter = (begin: () => Promise<T>): Promise<T> =>
      connections.hold(
        (held) => {
          connection = held
          return begin()
        },
        isSlow || deadline === undefined ? {} : { deadline },
      )
    return within(enter, () => work(connection), patience)
  }
  const execute = async (query: CompiledQuery): Promise<QueryResult<Row>> => {
    try {
      return await connected((connection) => patiently(() => connection.execute(query)))
    } catch (error) {
      throw errorWithoutValues(error, faults.isDuplicate)
    }
  }
  const atomically: Runner["atomically"] = async (work, options) => {
    const isConflict = (error: unknown): boolean => error instanceof Conflict || faults.isConflict(error)
    const isLost = (error: unknown): boolean => error instanceof Conflict && faults.isLost(error.error)
    const wait = options?.isSlow ? longPatience : patience
    const end = performance.now() + patience
    // On a cluster that takes writes everywhere, a row that many want meets one conflict after the other.
    const mayTry = (error: unknown, count: number): boolean =>
      isConflict(error) && (count < mostTries || (!isLost(error) && performance.now() < end))
    const ends = endsOf(faults, wait)
    try {
      return await again(
        () => connected((connection) => attempt({ ...parts, patience: wait }, connection, { work, ...ends }), options),
        mayTry,
      )
    } catch (error) {
      throw error instanceof Conflict ? error.error : error
    }
  }
  return {
    write: execute,
    // What changes nothing can be asked again, on another connection than the one that went away.
    read: readAside
      ? (query, options) => orAgain(async () => readAside(query, options), faults.isBusy, patiently)
      : (query) => orAgain(async () => (await execute(query)).rows, faults.isLost),
    atomically,
    locked: (name, work, options) => atomically((runner) => runner.locked(name, work), options),
    ...(readAside ? { isNear: true } : {}),
  }
}
