/** Connections as the runner sees them, whoever keeps them: a driver's pool, or Kysely. */
import type { CompiledQuery, QueryResult } from "kysely"
import type { Row } from "../dialects/dialect.js"

/** One connection, held while a work runs on it. */
export interface Connection {
  /** Runs one statement. */
  execute(query: CompiledQuery): Promise<QueryResult<Row>>
  /** A statement was given up: what comes next on this connection may wait for ever. */
  isStuck(): boolean
}

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

/** A connection on something that runs statements. */
export function connectionOn(
  execute: (query: CompiledQuery) => Promise<QueryResult<Row>>,
  { deadline }: Holding,
): Connection {
  let isStuck = false
  return {
    execute: (query) =>
      answered(execute(query), deadline, () => {
        isStuck = true
      }),
    isStuck: () => isStuck,
  }
}
