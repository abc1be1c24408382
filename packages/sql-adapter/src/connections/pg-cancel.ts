/** Asks a PostgreSQL server to cancel the statement of a connection whose caller has timed out. */
import { connect } from "node:net"

/** What the driver knows of the connection: where it goes, and the key that the server gave it (protocol 3.0, 55.2.9). */
export interface CancelKey {
  readonly host?: string
  readonly port?: number
  readonly processID?: number | null
  readonly secretKey?: number | null
}

const requestCode = 80_877_102

/** Milliseconds for the request: where it does not arrive, the server notices by itself, later. */
const patience = 5000

function requestOf(processId: number, secretKey: number): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeInt32BE(16, 0)
  bytes.writeInt32BE(requestCode, 4)
  bytes.writeInt32BE(processId, 8)
  bytes.writeInt32BE(secretKey, 12)
  return bytes
}

/** Sends the request on a connection of its own. Nothing comes back, and nothing is thrown. */
export function cancel({ host, port, processID, secretKey }: CancelKey): void {
  if (host === undefined || port === undefined) return
  if (typeof processID !== "number" || typeof secretKey !== "number") return
  const isFolder = host.startsWith("/")
  const socket = isFolder ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
  socket.on("error", () => {})
  socket.setTimeout(patience, () => socket.destroy())
  socket.on("connect", () => socket.end(requestOf(processID, secretKey)))
  socket.unref()
}
