/** A database server that speaks Hrana 2 over HTTP, as remote libsql does: each stream is a connection of its own. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import Database from "libsql"

interface Value {
  readonly type: "null" | "integer" | "float" | "text" | "blob"
  readonly value?: string | number
  readonly base64?: string
}

interface Statement {
  readonly sql?: string
  /** The id of a statement that the stream has sent before. */
  readonly sql_id?: number
  readonly args?: readonly Value[]
  readonly want_rows?: boolean
}

interface Condition {
  readonly type: "ok" | "error" | "not" | "and" | "or" | "is_autocommit"
  readonly step?: number
  readonly cond?: Condition
  readonly conds?: readonly Condition[]
}

interface Step {
  readonly stmt: Statement
  readonly condition?: Condition | null
}

type Request =
  | { readonly type: "execute"; readonly stmt: Statement }
  | { readonly type: "batch"; readonly batch: { readonly steps: readonly Step[] } }
  | { readonly type: "sequence"; readonly sql: string }
  | { readonly type: "store_sql"; readonly sql_id: number; readonly sql: string }
  | { readonly type: "close_sql"; readonly sql_id: number }
  | { readonly type: "close" | "get_autocommit" }

/** One stream: a connection, and the texts that were sent ahead. */
interface Stream {
  readonly database: InstanceType<typeof Database>
  readonly texts: Map<number, string>
}

function fromWire({ type, value, base64 }: Value): unknown {
  if (type === "null") return null
  if (type === "blob") return Buffer.from(base64 ?? "", "base64")
  if (type === "integer") return BigInt(value ?? 0)
  return type === "float" ? Number(value) : String(value)
}

function toWire(value: unknown): Value {
  if (value === null || value === undefined) return { type: "null" }
  if (typeof value === "bigint" || Number.isInteger(value)) return { type: "integer", value: String(value) }
  if (typeof value === "number") return { type: "float", value }
  if (value instanceof Uint8Array) return { type: "blob", base64: Buffer.from(value).toString("base64") }
  return { type: "text", value: String(value) }
}

function execute({ database, texts }: Stream, { sql, sql_id: id = -1, args = [] }: Statement): object {
  const statement = database.prepare(sql ?? texts.get(id) ?? "")
  const values = args.map(fromWire)
  if (!statement.reader) {
    const { changes, lastInsertRowid } = statement.run(values)
    return { cols: [], rows: [], affected_row_count: changes, last_insert_rowid: String(lastInsertRowid) }
  }
  const names = statement.columns().map(({ name }: { name: string }) => name)
  const rows = statement.raw(true).all(values) as unknown[][]
  return {
    cols: names.map((name: string) => ({ name })),
    rows: rows.map((row) => row.map(toWire)),
    affected_row_count: rows.length,
    last_insert_rowid: null,
  }
}

const asError = (error: unknown): { message: string; code: string } => ({
  message: (error as Error).message,
  code: String((error as { code?: string }).code ?? "SQLITE_ERROR"),
})

function holds(condition: Condition | null | undefined, done: readonly boolean[], stream: Stream): boolean {
  if (!condition) return true
  const { type, step = -1, cond, conds = [] } = condition
  if (type === "ok") return done[step] === true
  if (type === "error") return done[step] === false
  if (type === "not") return !holds(cond, done, stream)
  if (type === "is_autocommit") return !stream.database.inTransaction
  return type === "and" ? conds.every((it) => holds(it, done, stream)) : conds.some((it) => holds(it, done, stream))
}

function runBatch(stream: Stream, steps: readonly Step[]): object {
  const done: boolean[] = []
  const results: (object | null)[] = []
  const errors: (object | null)[] = []
  for (const [index, { stmt, condition }] of steps.entries()) {
    results[index] = null
    errors[index] = null
    if (!holds(condition, done, stream)) continue
    try {
      results[index] = execute(stream, stmt)
      done[index] = true
    } catch (error) {
      errors[index] = asError(error)
      done[index] = false
    }
  }
  return { step_results: results, step_errors: errors }
}

function answer(stream: Stream, request: Request): object {
  const { database, texts } = stream
  try {
    if (request.type === "execute") return ok({ type: "execute", result: execute(stream, request.stmt) })
    if (request.type === "batch") return ok({ type: "batch", result: runBatch(stream, request.batch.steps) })
    if (request.type === "get_autocommit") return ok({ type: "get_autocommit", is_autocommit: !database.inTransaction })
    if (request.type === "sequence") database.exec(request.sql)
    if (request.type === "store_sql") texts.set(request.sql_id, request.sql)
    if (request.type === "close_sql") texts.delete(request.sql_id)
    return ok({ type: request.type })
  } catch (error) {
    return { type: "error", error: asError(error) }
  }
}

const ok = (response: object): object => ({ type: "ok", response })

async function bodyOf(request: IncomingMessage): Promise<{ baton?: string | null; requests: readonly Request[] }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** A running server. */
export interface HranaServer {
  readonly url: string
  stop(): Promise<void>
}

/** Serves a file. A stream lasts until its client closes it. */
export async function startHrana(filename: string): Promise<HranaServer> {
  const streams = new Map<string, Stream>()
  let count = 0
  const open = (baton: string | null | undefined): Stream => {
    const known = baton ? streams.get(baton) : undefined
    if (known) return known
    const database = new Database(filename)
    database.exec("pragma foreign_keys = on")
    return { database, texts: new Map() }
  }
  /** What is not committed when a stream ends is gone. */
  const end = ({ database }: Stream): void => {
    if (database.inTransaction) database.exec("rollback")
    database.close()
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "GET") {
      // Version 3 is not spoken here, version 2 is.
      response.writeHead(request.url === "/v2" ? 200 : 404).end()
      return
    }
    const { baton, requests } = await bodyOf(request)
    const stream = open(baton)
    if (baton) streams.delete(baton)
    const results = requests.map((one) => answer(stream, one))
    const isClosed = requests.some(({ type }) => type === "close")
    count += 1
    const next = isClosed ? null : `stream-${count}`
    if (next) streams.set(next, stream)
    else end(stream)
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ baton: next, base_url: null, results }))
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      for (const stream of streams.values()) end(stream)
    },
  }
}
