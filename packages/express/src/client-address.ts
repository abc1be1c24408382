/** The address behind a request of Express. */
import { isReset } from "@latchkey/core"
import type { Request as ExpressRequest } from "express"

/** What `trust proxy` makes of the connection and its fields; `null` where the other end has reset the connection. */
export function clientAddress(req: ExpressRequest): string | null | undefined {
  return isReset(req.socket) ? null : req.ip
}
