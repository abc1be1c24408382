/** Connections of the driver "pg": statements with values are prepared once on each connection, under a name. */
import { createHash } from "node:crypto"
import type { CompiledQuery, QueryResult } from "kysely"
import type { Row } from "../dialects/dialect.js"
import { type Connections, connectionOn } from "./connection.js"
import { type CancelKey, cancel } from "./pg-cancel.js"

/** What we use of a client of "pg". */
export interface PgClient extends CancelKey {
  query(query: { name?: string; text: string; values?: unknown[] }): Promise<{
    readonly command: string
    readonly rowCount: number | null
    readonly rows: readonly unknown[]
  }>
  on(event: "error", listener: (error: Error) => void): unknown
  release(destroy?: boolean): void
}

/** What we use of a pool of "pg": `new Pool(...)` fits. */
export interface PgPool {
  readonly totalCount: number
  readonly idleCount: number
  connect(): Promise<PgClient>
  on(event: "error", listener: (error: Error) => void): unknown
  end(): Promise<void>
}

/** Every name is a statement kept by the server, for each connection: there are few, and never more than these. */
const mostNames = 300

/** A connection that ends emits an error; its user gets it from the statement that fails. */
const ignore = (): void => {}

function createNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const found = names.get(text)
    if (found !== undefined || names.size >= mostNames) return found
    const name = `latchkey_${createHash("sha256").update(text).digest("base64url").slice(0, 32)}`
    names.set(text, name)
    return name
  }
}

async function run(client: PgClient, query: CompiledQuery, name: string | undefined): Promise<QueryResult<Row>> {
  const text = query.sql
  if (query.parameters.length === 0 && name === undefined) {
    const { command, rowCount, rows } = await client.query({ text })
    // A failed transaction answers COMMIT with a rollback, without an error.
    if (text === "commit" && command !== "COMMIT") throw new Error("The transaction was rolled back.")
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
  }
  const values = [...query.parameters]
  const { rowCount, rows } = await client.query(name === undefined ? { text, values } : { name, text, values })
  return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
}

/** The server does not know a name, or knows it already: a proxy has put another connection behind this one. */
const isMisplaced = (error: unknown): boolean => /^(26000|42P05)$/.test(String((error as { code?: unknown }).code))

/** The transaction has failed before; nothing runs in it any more. */
const isInFailed = (error: unknown): boolean => (error as { code?: unknown }).code === "25P02"

/**
 * Connections of a pool. With `named`, statements are prepared under names, until it shows that a proxy loses them: what
 * failed for that has done nothing yet and is asked again without a name, like everything after it.
 */
export function pgConnections(pool: () => Promise<PgPool>, named: boolean): Connections {
  const nameOf = createNames()
  let isNamed = named
  const execute = async (client: PgClient, query: CompiledQuery): Promise<QueryResult<Row>> => {
    const name = isNamed && query.parameters.length > 0 ? nameOf(query.sql) : undefined
    try {
      return await run(client, query, name)
    } catch (error) {
      if (name === undefined || !isMisplaced(error)) throw error
      isNamed = false
      return await run(client, query, undefined).catch((again: unknown) => {
        // The loss has ended the transaction, which can only run again as a whole.
        throw isInFailed(again) ? error : again
      })
    }
  }
  const heard = new WeakSet<PgClient>()
  return {
    async hold(work, holding) {
      const client = await (await pool()).connect()
      if (!heard.has(client)) client.on("error", ignore)
      heard.add(client)
      const connection = connectionOn((query) => execute(client, query), holding)
      try {
        return await work(connection)
      } finally {
        // Otherwise the server would continue, with its locks and its connection.
        if (connection.isStuck()) cancel(client)
        client.release(connection.isStuck())
      }
    },
  }
}
