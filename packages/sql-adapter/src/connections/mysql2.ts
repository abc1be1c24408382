/** Connections of the driver "mysql2": statements with values are prepared once on each connection. */
import type { CompiledQuery, QueryResult } from "kysely"
import type { Row } from "../dialects/dialect.js"
import { type Connections, connectionOn } from "./connection.js"

type Answer = (error: Error | null, result: unknown) => void

/** What we use of a connection of "mysql2". */
export interface Mysql2Connection {
  query(options: { sql: string }, answer: Answer): unknown
  execute(options: { sql: string; values: never[] }, answer: Answer): unknown
  on(event: "error", listener: (error: Error) => void): unknown
  release(): void
  destroy(): void
}

/** What we use of a pool of "mysql2": what `createPool` makes fits. */
export interface Mysql2Pool {
  getConnection(...args: never[]): unknown
  end(...args: never[]): unknown
}

type GetConnection = (answer: (error: Error | null, connection: Mysql2Connection) => void) => unknown

/** The pool that `createPool` of "mysql2/promise" makes, with the one above inside. */
export interface Mysql2PromisePool {
  readonly pool: object
  getConnection(): Promise<unknown>
}

const ignore = (): void => {}

function run(connection: Mysql2Connection, { sql, parameters }: CompiledQuery, prepares: boolean): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const answer: Answer = (error, result) => (error ? reject(error) : resolve(result))
    if (parameters.length === 0 || !prepares) connection.query({ sql, values: parameters } as { sql: string }, answer)
    else connection.execute({ sql, values: parameters as never[] }, answer)
  })
}

/** What the driver answers: rows, or what a statement changed. */
function resultOf(result: unknown): QueryResult<Row> {
  if (Array.isArray(result)) return { rows: result as Row[] }
  const { insertId, affectedRows } = result as { insertId?: number | string; affectedRows?: number }
  const id = BigInt(insertId ?? 0)
  return { rows: [], numAffectedRows: BigInt(affectedRows ?? 0), ...(id === 0n ? {} : { insertId: id }) }
}

function connect(pool: Mysql2Pool): Promise<Mysql2Connection> {
  return new Promise((resolve, reject) => {
    const getConnection: GetConnection = pool.getConnection.bind(pool) as GetConnection
    getConnection((error, connection) => (error ? reject(error) : resolve(connection)))
  })
}

/** Connections of a pool. */
export function mysql2Connections(pool: () => Promise<Mysql2Pool>, prepares: boolean): Connections {
  const heard = new WeakSet<Mysql2Connection>()
  return {
    async hold(work, holding) {
      const raw = await connect(await pool())
      if (!heard.has(raw)) raw.on("error", ignore)
      heard.add(raw)
      const connection = connectionOn(async (query) => resultOf(await run(raw, query, prepares)), holding)
      try {
        return await work(connection)
      } finally {
        if (connection.isStuck()) raw.destroy()
        else raw.release()
      }
    },
  }
}
