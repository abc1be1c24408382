/** Cookies of a request as the browser will have them after this response, and cookies added to the response. */
import { cookieNameIn, cookiesAfter } from "@latchkey/core"
import type { Request as ExpressRequest, Response as ExpressResponse } from "express"

/**
 * Adds Set-Cookie fields to those that are there, and replaces earlier ones for the same cookie (RFC 6265 §4.1.1): a sign-out must not
 * also send the session that the same request has extended. Once the head of the response was sent, nothing is added.
 */
export function addCookies(cookies: readonly string[], res: ExpressResponse): void {
  if (cookies.length === 0 || res.headersSent) return
  const added = new Set(cookies.map(cookieIn))
  res.setHeader("Set-Cookie", [...fieldsOf(res).filter((field) => !added.has(cookieIn(field))), ...cookies])
}

/** What tells cookies apart for a browser: name, domain, path (of each attribute the last counts) and whether it is partitioned. */
function cookieIn(field: string): string {
  const last = (pattern: RegExp): string | undefined => [...field.matchAll(pattern)].at(-1)?.[1]?.trim()
  const isPartitioned = /;\s*partitioned\s*(?:;|$)/i.test(field)
  return JSON.stringify([cookieNameIn(field), last(/;\s*domain=([^;]*)/gi), last(/;\s*path=([^;]*)/gi), isPartitioned])
}

/**
 * The headers of a request with the cookies as they are by now. A sign-in or sign-out after the session was extended in
 * the same response has to replace the parts of the cookie that this response has set, not those that came in.
 */
export function currentHeaders(req: ExpressRequest, res: ExpressResponse | undefined): ExpressRequest["headers"] {
  const { headers } = req
  const fields = res === undefined || res.headersSent ? [] : fieldsOf(res)
  if (fields.length === 0) return headers
  const { cookie: _, ...rest } = headers
  const cookie = cookiesAfter(headers.cookie, fields, new Date())
  return cookie === "" ? rest : { ...rest, cookie }
}

function fieldsOf(res: ExpressResponse): string[] {
  const before = res.getHeader("Set-Cookie")
  return before === undefined ? [] : [before].flat().map(String)
}
