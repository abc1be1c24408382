/** Servers on a free port of this machine alone. */
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"

/** Listens on loopback; resolves to the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  return (server.address() as AddressInfo).port
}

/** Ends every connection and the server. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
