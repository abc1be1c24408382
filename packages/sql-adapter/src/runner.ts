/** Runs SQL: single statements, and works that take effect together or not at all. */
import { CompiledQuery, type QueryResult } from "kysely"
import type { Builder, Row, SqlDialect } from "./dialects/dialect.js"
import { createTurns, retry, within } from "./turns.js"

/** What an open database offers. */
export interface Runner {
  /** Runs a statement that changes nothing. */
  read(query: CompiledQuery): Promise<Row[]>
  /** Runs a statement that changes something. */
  write(query: CompiledQuery): Promise<QueryResult<Row>>
  /** Runs works that take effect together or not at all. Inside one, begins another that may fail by itself. */
  atomically<T>(work: (runner: Runner) => Promise<T>): Promise<T>
}

/** What it takes to run. */
export interface RunnerParts {
  readonly kysely: Builder
  readonly dialect: SqlDialect
  /** Milliseconds to wait for a connection, and again for a lock. */
  readonly patience: number
  /** Reads beside the connection that writes, where there is a second one. */
  readonly readAside?: (query: CompiledQuery) => Row[]
}

/** Rolls back; what goes wrong here is less telling than what went wrong before. */
async function undo(connection: Builder, statement: string): Promise<void> {
  try {
    await connection.executeQuery(CompiledQuery.raw(statement))
  } catch {
    // A database that has rolled back by itself (disk full, deadlock) refuses to do it twice.
  }
}

/** A runner inside a transaction. Statements and inner works take turns: savepoints must not interleave. */
function inside(connection: Builder, depth: number, isOpen: () => boolean): Runner {
  const turns = createTurns()
  const execute = async (query: CompiledQuery): Promise<QueryResult<Row>> => {
    if (!isOpen()) throw new Error("This transaction has ended; its adapter cannot be used any more.")
    return connection.executeQuery(query as CompiledQuery<Row>)
  }
  const run = (statement: string): Promise<unknown> => execute(CompiledQuery.raw(statement))
  return {
    read: (query) => turns(async () => (await execute(query)).rows),
    write: (query) => turns(() => execute(query)),
    atomically: (work) =>
      turns(async () => {
        const savepoint = `latchkey_${depth}`
        let open = true
        await run(`savepoint ${savepoint}`)
        try {
          const result = await work(inside(connection, depth + 1, () => open && isOpen()))
          await run(`release savepoint ${savepoint}`)
          return result
        } catch (error) {
          await undo(connection, `rollback to savepoint ${savepoint}`)
          await undo(connection, `release savepoint ${savepoint}`)
          throw error
        } finally {
          open = false
        }
      }),
  }
}

/** A runner that begins its own transactions. */
export function createRunner({ kysely, dialect, patience, readAside }: RunnerParts): Runner {
  const again = <T>(work: () => Promise<T>): Promise<T> => retry(work, { isBusy: dialect.isBusy, patience })
  const connected = <T>(work: (connection: Builder) => Promise<T>): Promise<T> => {
    let connection = kysely
    const enter = (begin: () => Promise<T>): Promise<T> =>
      kysely.connection().execute((bound) => {
        connection = bound
        return begin()
      })
    return within(enter, () => work(connection), patience)
  }
  const execute = (query: CompiledQuery): Promise<QueryResult<Row>> =>
    connected((connection) => again(() => connection.executeQuery(query as CompiledQuery<Row>)))
  return {
    write: execute,
    read: readAside ? (query) => again(async () => readAside(query)) : async (query) => (await execute(query)).rows,
    atomically: (work) =>
      connected(async (connection) => {
        let open = true
        await again(() => connection.executeQuery(CompiledQuery.raw(dialect.begin)))
        try {
          const result = await work(inside(connection, 0, () => open))
          open = false
          await again(() => connection.executeQuery(CompiledQuery.raw("commit")))
          return result
        } catch (error) {
          await undo(connection, "rollback")
          throw error
        } finally {
          open = false
        }
      }),
  }
}
