/** Translates between Node's request and response and those of the service. */
import type { IncomingHttpHeaders } from "node:http"
import type { ServerRequest, ServerResponse } from "@latchkey/core"
import type { Request as ExpressRequest, Response as ExpressResponse } from "express"
import { assertBodyIsThere, bodyOf } from "./body.js"
import { addCookies } from "./cookies.js"

/**
 * The request as the service reads it: `url` is its address as the service shall see it, `headers` are those of the
 * request by now. A request of the web costs more than everything else here, so it is made for a body alone.
 * @throws UnreadableRequest when something else has read the body and left nothing of it.
 */
export function serverRequestOf(req: ExpressRequest, url: string, headers: IncomingHttpHeaders): ServerRequest {
  if (!isBodiless(req)) assertBodyIsThere(req)
  return { method: req.method, url, headers, toRequest: () => toWebRequest(req, url, headers) }
}

function toWebRequest(req: ExpressRequest, url: string, headers: IncomingHttpHeaders): Request {
  const { method } = req
  if (isBodiless(req)) return new Request(url, { method, headers: pairsOf(headers, []) })
  const { body, dropHeaders } = bodyOf(req)
  const init: RequestInit & { duplex: "half" } = { method, headers: pairsOf(headers, dropHeaders), duplex: "half" }
  if (body !== undefined) init.body = body
  return new Request(url, init)
}

function isBodiless({ method }: ExpressRequest): boolean {
  return method === "GET" || method === "HEAD"
}

/** As pairs, because a request copies `Headers` once more. */
function pairsOf(headers: IncomingHttpHeaders, dropped: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (const [name, value] of Object.entries(headers)) {
    // Pseudo headers (RFC 9113 §8.3) are no fields.
    if (value === undefined || name.startsWith(":") || dropped.includes(name)) continue
    if (Array.isArray(value)) for (const one of value) pairs.push([name, one])
    else pairs.push([name, value])
  }
  return pairs
}

/** Writes a response. Cookies and `Vary` that were set before stay; each cookie keeps a field of its own. */
export function writeServerResponse({ status, headers, cookies, body }: ServerResponse, res: ExpressResponse): void {
  // Other code has answered, or the client has gone away.
  if (res.headersSent || res.writableEnded || res.destroyed) return
  res.statusCode = status
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === "vary" && res.hasHeader(name)) res.vary(value)
    else res.setHeader(name, value)
  }
  addCookies(cookies, res)
  if (body === null) res.end()
  else res.end(body)
}

/** The client has gone: the connection ended before the request, or the response, was complete. */
export function isGone(req: ExpressRequest, res: ExpressResponse): boolean {
  return res.destroyed || (req.destroyed && !req.complete)
}
