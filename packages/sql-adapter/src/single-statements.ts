/** The runner for databases that run no transaction over several calls: single statements, and batches that take effect together. */
import type { CompiledQuery, QueryResult } from "kysely"
import type { Connection, Connections } from "./connections/connection.js"
import type { Row, SqlDialect } from "./dialects/dialect.js"
import { errorWithoutValues } from "./duplicates.js"
import type { Runner } from "./runner.js"
import { retry, within } from "./turns.js"

/** One statement of a batch. */
export interface BatchStatement {
  /** The statement, with placeholders of the dialect. */
  readonly sql: string
  /** The values of the placeholders, in order. */
  readonly parameters: readonly unknown[]
}

/**
 * Runs statements in this order, all of them or none, and answers for each one its rows, in a list or in a member
 * `results` or `rows`.
 */
export type Batch = (statements: readonly BatchStatement[]) => Promise<readonly unknown[]>

/** What it takes to run single statements. */
export interface SingleParts {
  readonly connections: Connections
  readonly dialect: SqlDialect
  readonly patience: number
  readonly deadline: number
  readonly batch?: Batch | undefined
}

function rowsOf(result: unknown): Row[] {
  if (Array.isArray(result)) return result as Row[]
  const { results, rows } = (typeof result === "object" && result !== null ? result : {}) as Record<string, unknown>
  const found = results ?? rows
  if (Array.isArray(found)) return found as Row[]
  throw new TypeError(
    'The function "batch" must return the rows of each statement: a list, or an object with a list "results" or "rows".',
  )
}

interface Queued {
  readonly query: CompiledQuery
  readonly resolve: (result: QueryResult<Row>) => void
  readonly reject: (error: unknown) => void
}

/** Collects what works write, sends it as one batch, and hands each work its rows. */
async function inOneBatch<T>(
  { batch, dialect, runner }: { readonly batch: Batch; readonly dialect: SqlDialect; readonly runner: Runner },
  works: (within: Runner) => readonly Promise<T>[],
): Promise<T[]> {
  const queue: Queued[] = []
  const write: Runner["write"] = (query) =>
    new Promise((resolve, reject) => {
      queue.push({ query, resolve, reject })
    })
  // Every work writes its one statement before it waits for anything.
  const all = Promise.all(works({ ...runner, write, isBatch: true }))
  try {
    const results = await batch(queue.map(({ query: { sql, parameters } }) => ({ sql, parameters })))
    for (const [index, { resolve }] of queue.entries()) resolve({ rows: rowsOf(results[index]) })
  } catch (thrown) {
    const error = errorWithoutValues(thrown, dialect.faults.isDuplicate)
    for (const { reject } of queue) reject(error)
  }
  return all
}

/** A runner without transactions: works run statement by statement. */
export function createSingleRunner({ connections, dialect, patience, deadline, batch }: SingleParts): Runner {
  const execute = async (query: CompiledQuery): Promise<QueryResult<Row>> => {
    let connection: Connection
    const run = (): Promise<QueryResult<Row>> =>
      within(
        (begin) =>
          connections.hold(
            (held) => {
              connection = held
              return begin()
            },
            { deadline },
          ),
        () => connection.execute(query),
        patience,
      )
    try {
      return await retry(run, { isBusy: dialect.faults.isBusy, patience })
    } catch (error) {
      throw errorWithoutValues(error, dialect.faults.isDuplicate)
    }
  }
  const runner: Runner = {
    read: async (query) => (await execute(query)).rows,
    write: execute,
    atomically: (work) => work(runner),
    // Keys keep rows apart here, and steps of migrations may be taken twice.
    locked: (_name, work) => work(runner),
    ...(batch && { together: (works) => inOneBatch({ batch, dialect, runner }, works) }),
  }
  return runner
}
