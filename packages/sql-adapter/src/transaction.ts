/** What happens inside a transaction: statements in turn, savepoints for works that may fail by themselves, locks. */
import { CompiledQuery, type QueryResult } from "kysely"
import type { Connection } from "./connections/connection.js"
import type { Row, SqlDialect } from "./dialects/dialect.js"
import { errorWithoutValues } from "./duplicates.js"
import type { Runner, WriteOptions } from "./runner.js"
import { createTurns } from "./turns.js"

/** One transaction, from beginning to end. */
export interface Whole {
  readonly connection: Connection
  readonly dialect: SqlDialect
  /** Milliseconds to wait for a lock. */
  readonly patience: number
  /** Locks that are held. */
  readonly locks: Set<string>
  isOpen: boolean
  /** The database has aborted the transaction. Nothing may run any more, because it would run outside of it. */
  conflict?: { readonly error: unknown }
}

/** One level: the transaction itself, or a savepoint in it. */
interface Level {
  readonly depth: number
  isOpen: boolean
  /** A statement that failed, where that ends the level. */
  failed?: { readonly error: unknown }
}

/** Rolls back, and says whether that worked; an error here must not hide the first one. */
export async function undo(connection: Connection, goBack: () => Promise<unknown>): Promise<boolean> {
  try {
    const undone = goBack()
    // Behind a statement without an answer, this one would wait, too: it is sent, and takes its turn.
    if (connection.isStuck()) undone.catch(() => {})
    else await undone
    return true
  } catch {
    // A database that has rolled back by itself (disk full, deadlock, lost connection) refuses to do it twice.
    return false
  }
}

/** Gives back the locks that the end of the transaction does not. */
export async function giveBack({ connection, dialect, locks }: Whole): Promise<void> {
  const { release } = dialect.lock ?? {}
  if (!release || connection.isStuck()) return
  for (const name of locks) {
    try {
      await connection.execute(release(name))
    } catch {
      // The lock ends with the connection.
    }
  }
}

async function takeLock(whole: Whole, name: string, execute: Connection["execute"]): Promise<void> {
  const { lock } = whole.dialect
  if (!lock || whole.locks.has(name)) return
  const { rows } = await execute(lock.take(name, Math.ceil(whole.patience / 1000)))
  if (Number(rows[0]?.taken) !== 1)
    throw new Error(`The lock "${name}" did not become free within ${whole.patience} ms.`)
  whole.locks.add(name)
}

function executeAt(whole: Whole, level: Level): Connection["execute"] {
  return async (query) => {
    if (!level.isOpen || !whole.isOpen)
      throw new Error("This transaction has ended; its adapter cannot be used any more.")
    const before = whole.conflict ?? level.failed
    if (before) throw before.error
    try {
      return await whole.connection.execute(query)
    } catch (thrown) {
      const error = errorWithoutValues(thrown, whole.dialect.faults.isDuplicate)
      const { faults } = whole.dialect
      if (faults.isConflict(thrown)) whole.conflict = { error }
      // After a lock that was not free, MySQL may have rolled back all of it: what follows would take effect by itself.
      if (faults.endsTransaction || faults.isBusy(thrown)) level.failed = { error }
      throw error
    }
  }
}

/** Runs a work behind a savepoint, and goes back to it when the work fails. */
async function behindSavepoint<T>(whole: Whole, outer: Level, work: (level: Level) => Promise<T>): Promise<T> {
  const run = executeAt(whole, outer)
  const savepoint = `latchkey_${outer.depth}`
  const level: Level = { depth: outer.depth + 1, isOpen: true }
  await run(CompiledQuery.raw(`savepoint ${savepoint}`))
  try {
    const result = await work(level)
    if (level.failed) throw level.failed.error
    level.isOpen = false
    await run(CompiledQuery.raw(`release savepoint ${savepoint}`))
    return result
  } catch (error) {
    if (!whole.conflict) {
      const { connection } = whole
      for (const statement of [`rollback to savepoint ${savepoint}`, `release savepoint ${savepoint}`])
        if (!(await undo(connection, () => connection.execute(CompiledQuery.raw(statement))))) outer.failed = { error }
    }
    throw error
  } finally {
    level.isOpen = false
  }
}

/** The transaction as a runner. Statements and inner works take turns: savepoints must not interleave. */
export function inside(whole: Whole, level: Level): Runner {
  const turns = createTurns()
  const execute = executeAt(whole, level)
  const runner: Runner = {
    read: (query) => turns(async () => (await execute(query)).rows),
    write: (query: CompiledQuery, { mayCollide = false }: WriteOptions = {}): Promise<QueryResult<Row>> =>
      turns(() => {
        if (!mayCollide || !whole.dialect.faults.endsTransaction) return execute(query)
        return behindSavepoint(whole, level, (inner) => executeAt(whole, inner)(query))
      }),
    atomically: (work) => turns(() => behindSavepoint(whole, level, (inner) => work(inside(whole, inner)))),
    async locked(name, work) {
      await turns(() => takeLock(whole, name, execute))
      return work(runner)
    },
  }
  return runner
}

/** The outermost level. */
export function outermost(): Level {
  return { depth: 0, isOpen: true }
}

/** The failure that a work has not passed on. */
export function failureOf(whole: Whole, level: Level): { readonly error: unknown } | undefined {
  return whole.conflict ?? level.failed
}
