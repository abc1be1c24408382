/** Node's request and response as the web's, and back. */
import type { IncomingHttpHeaders } from "node:http"
import type { Request as ExpressRequest, Response as ExpressResponse } from "express"
import { bodyOf } from "./body.js"
import { addCookies } from "./cookies.js"

/** Makes the web request; `url` is the address as the service shall see it, `headers` are those of the request by now. */
export function toWebRequest(req: ExpressRequest, url: string, headers: IncomingHttpHeaders = req.headers): Request {
  const { method } = req
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers: pairsOf(headers, []) })
  const { body, dropHeaders } = bodyOf(req)
  const init: RequestInit & { duplex: "half" } = { method, headers: pairsOf(headers, dropHeaders), duplex: "half" }
  if (body !== undefined) init.body = body
  return new Request(url, init)
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

/** Writes a web response. Cookies and `Vary` that were set before stay; each cookie keeps a field of its own. */
export async function writeWebResponse(response: Response, res: ExpressResponse): Promise<void> {
  const body = response.body ? await bytesOf(response.body) : undefined
  // Other code has answered, or the client has gone away.
  if (res.headersSent || res.writableEnded || res.destroyed) return
  res.statusCode = response.status
  for (const [name, value] of response.headers) {
    if (name === "vary") res.vary(value)
    else if (name !== "set-cookie") res.setHeader(name, value)
  }
  addCookies(response.headers.getSetCookie(), res)
  res.end(body)
}

/** Read chunk by chunk: what the service answers is one chunk, and need not be copied. */
async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  for (let part = await reader.read(); !part.done; part = await reader.read()) chunks.push(part.value)
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}

/** Nobody waits for an answer any more: the connection ended before the request, or the answer, was whole. */
export function isGone(req: ExpressRequest, res: ExpressResponse): boolean {
  return res.destroyed || (req.destroyed && !req.complete)
}
