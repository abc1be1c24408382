/** The address behind a request of Express. */
import type { Request as ExpressRequest } from "express"

/**
 * What `trust proxy` makes of the connection and its fields; `null` where the other end has reset the connection. Then Node.js
 * no longer knows the address, and reads what was sent before all the same.
 */
export function clientAddress(req: ExpressRequest): string | null | undefined {
  // Some platforms hand over a request without a connection, and a Unix socket has no address at either end.
  const { remoteAddress, localAddress, destroyed } = req.socket ?? {}
  return remoteAddress === undefined && (localAddress !== undefined || destroyed) ? null : req.ip
}
