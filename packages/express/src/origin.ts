/** Which address a request was sent to. Forwarded headers count only where the application trusts its proxy. */
import { UnreadableRequest } from "@latchkey/core/errors"
import type { Request as ExpressRequest } from "express"

const hostShape = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Scheme and host of a request, such as `https://app.test`. Throws {@link UnreadableRequest} when it has none. */
export function originOf(req: ExpressRequest): string {
  // Express takes the scheme from X-Forwarded-Proto only when `trust proxy` says so.
  const { protocol } = req
  const origin = readOrigin(protocol, hostOf(req))
  if (origin !== undefined && /^https?$/.test(protocol)) return origin
  throw new UnreadableRequest(
    "The request names no host or several, or its scheme or host cannot be read. Set AUTH_URL to the address of the application.",
  )
}

/** With the answer to the last question kept: nearly all requests of an application name the same address. */
function keepingLast(read: OriginReader): OriginReader {
  let last: { readonly protocol: string; readonly host: string; readonly origin: string | undefined } | undefined
  return (protocol, host) => {
    if (last?.host !== host || last.protocol !== protocol) last = { protocol, host, origin: read(protocol, host) }
    return last.origin
  }
}

type OriginReader = (protocol: string, host: string) => string | undefined

/** Anything that a URL parser would read as another host than it is written is refused, such as `0x7f.1`. */
const readOrigin: OriginReader = keepingLast((protocol, host) => {
  if (!hostShape.test(host)) return undefined
  try {
    const { hostname, origin } = new URL(`${protocol}://${host}`)
    return hostname === host.toLowerCase().replace(/:\d+$/, "") ? origin : undefined
  } catch {
    return undefined
  }
})

function hostOf(req: ExpressRequest): string {
  return forwardedHost(req) || sentHost(req)
}

/** What stands in front may have looked at either: a request that names two hosts is malformed (RFC 9113 §8.3.1). */
function sentHost(req: ExpressRequest): string {
  const host = (req.headers.host ?? "").trim()
  const authority = (header(req, ":authority") ?? "").trim()
  if (host !== "" && authority !== "" && host.toLowerCase() !== authority.toLowerCase()) return ""
  return authority || host
}

/**
 * One value. A list is handed on whole, and refused: a proxy that appends leaves in front what the sender wrote, and
 * links that are mailed to others would lead there.
 */
function forwardedHost(req: ExpressRequest): string | undefined {
  const forwarded = header(req, "x-forwarded-host")
  if (!forwarded) return undefined
  const trusts = req.app?.get("trust proxy fn") as ((address: string | undefined, hop: number) => boolean) | undefined
  return trusts?.(req.socket.remoteAddress, 0) ? forwarded.trim() : undefined
}

function header(req: ExpressRequest, name: string): string | undefined {
  const value = req.headers[name]
  return Array.isArray(value) ? value[0] : value
}
