/** Connections as the runner uses them, from a driver's pool or from Kysely. */
import { CompiledQuery, type QueryResult } from "kysely"
import type { Channel, Row, SqlDialect } from "../dialects/dialect.js"

/** How a transaction begins and ends on a connection. */
export interface TransactionControl {
  /** Begins one that will write: with these statements, or as the driver does it. */
  begin(statements: readonly string[]): Promise<unknown>
  commit(): Promise<unknown>
  rollback(): Promise<unknown>
}

/** One connection, held while a work runs on it. */
export interface Connection extends TransactionControl, Channel {}

/** How long a statement may take. */
export interface Holding {
  /** Milliseconds to wait for the answer to one statement; none for works that take their time. */
  readonly deadline?: number
}

/** Where connections come from. */
export interface Connections {
  /** Waits for a connection, and runs the work on it. Afterwards it serves others, or is closed when it is stuck. */
  hold<T>(work: (connection: Connection) => Promise<T>, holding: Holding): Promise<T>
}

/** The answer, or an error when it does not come in time. `late` is called before the error. */
export function answered<T>(answer: Promise<T>, deadline: number | undefined, late: () => void): Promise<T> {
  if (deadline === undefined) return answer
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      late()
      reject(
        new Error(`The database did not answer within ${deadline} ms. Whether the statement took effect is unknown.`),
      )
    }, deadline)
    answer.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** Transactions by statements, for what runs every statement on one connection. */
export function byStatements(execute: (query: CompiledQuery) => Promise<unknown>): TransactionControl {
  const run = (text: string): Promise<unknown> => execute(CompiledQuery.raw(text))
  return {
    async begin(statements) {
      for (const statement of statements) await run(statement)
    },
    commit: () => run("commit"),
    rollback: () => run("rollback"),
  }
}

/** A connection on something that runs statements. */
export function connectionOn(
  execute: (query: CompiledQuery) => Promise<QueryResult<Row>>,
  { deadline }: Holding,
  control: TransactionControl = byStatements(execute),
): Connection {
  let isStuck = false
  const timed = <T>(answer: Promise<T>): Promise<T> =>
    answered(answer, deadline, () => {
      isStuck = true
    })
  return {
    execute: (query) => timed(execute(query)),
    begin: (statements) => timed(control.begin(statements)),
    commit: () => timed(control.commit()),
    rollback: () => timed(control.rollback()),
    isStuck: () => isStuck,
  }
}

/**
 * The connections, on which statements write what they were given. How one is set counts for all that nobody else uses; on others
 * the application may change it between two times that they are held.
 */
export function exact({ connections, dialect, isAlone = false }: Exact): Connections {
  const { exactly } = dialect
  if (!exactly) return connections
  const common = isAlone ? exactly() : undefined
  return {
    hold: (work, holding) =>
      connections.hold((connection) => {
        const run = common ?? exactly()
        return work({ ...connection, execute: (query) => run(connection, query) })
      }, holding),
  }
}

/** What an opened database says of its connections. */
interface Exact {
  readonly connections: Connections
  readonly dialect: Pick<SqlDialect, "exactly">
  readonly isAlone?: boolean
}
