/** Neon's two ways to a database without a socket of TCP: SQL over HTTP, and the protocol itself in a WebSocket. */
import { createServer, type IncomingMessage } from "node:http"
import { type AddressInfo, connect } from "node:net"
import type { Duplex } from "node:stream"
import pg from "pg"

interface Question {
  readonly query: string
  readonly params: readonly (string | null)[]
}

/** Answers go out as the texts that the server of PostgreSQL wrote. */
const texts = { getTypeParser: () => (text: string) => text } as unknown as pg.CustomTypesConfig

async function answer(client: pg.PoolClient, { query, params }: Question): Promise<object> {
  const asked = { text: query, values: [...params], rowMode: "array" as const, types: texts }
  const { command, rowCount, rows, fields } = await client.query(asked)
  const named = fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }))
  return { command, rowCount, rows, fields: named, rowAsArray: true }
}

/** One statement, or several that take effect together. */
async function serve(client: pg.PoolClient, body: Question | { readonly queries: readonly Question[] }) {
  if (!("queries" in body)) return answer(client, body)
  const results: object[] = []
  await client.query("begin")
  try {
    for (const question of body.queries) results.push(await answer(client, question))
    await client.query("commit")
    return { results }
  } catch (error) {
    await client.query("rollback")
    throw error
  }
}

async function bodyOf(request: IncomingMessage): Promise<Question | { readonly queries: readonly Question[] }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** The part of an error that the client sees. */
const fieldsOfError = ["code", "severity", "detail", "hint", "constraint", "table", "column"] as const

function toWire(error: unknown): object {
  const { message, ...rest } = error as Error & Readonly<Record<string, unknown>>
  return { message, ...Object.fromEntries(fieldsOfError.map((field) => [field, rest[field]])) }
}

/** What takes over a connection that becomes a WebSocket, such as a server of the package "ws". */
export interface Sockets {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, opened: (socket: Duplex) => void): void
}

/** A running server. */
export interface NeonServer {
  /** For `neonConfig.fetchEndpoint`. */
  readonly http: string
  /** For `neonConfig.wsProxy`: host and port. */
  readonly socket: string
  stop(): Promise<void>
}

/** Serves every database whose address a client sends. `sockets` hands out streams of bytes. */
export async function startNeon(postgresql: string, sockets: Sockets): Promise<NeonServer> {
  const pools = new Map<string, pg.Pool>()
  const poolOf = (address: string): pg.Pool => {
    const pool = pools.get(address) ?? new pg.Pool({ connectionString: address })
    pools.set(address, pool)
    return pool
  }
  const server = createServer(async (request, response) => {
    const client = await poolOf(String(request.headers["neon-connection-string"])).connect()
    try {
      const found = await serve(client, await bodyOf(request))
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found))
    } catch (error) {
      response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify(toWire(error)))
    } finally {
      client.release()
    }
  })
  const { hostname, port } = new URL(postgresql)
  server.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (stream) => {
      const behind = connect(Number(port), hostname)
      stream.pipe(behind).pipe(stream)
      for (const end of [stream, behind]) end.on("error", () => behind.destroy())
    }),
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    http: `http://${place}/sql`,
    socket: place,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      for (const pool of pools.values()) await pool.end()
    },
  }
}
