/** Cookies of a request as the browser will have them after this response, and cookies added to the response. */
import { cookiesAfter } from "@latchkey/core"
import type { Request as ExpressRequest, Response as ExpressResponse } from "express"

/** Adds Set-Cookie fields beside those that are there. After the head of the response was sent nothing is added. */
export function addCookies(cookies: readonly string[], res: ExpressResponse): void {
  if (cookies.length === 0 || res.headersSent) return
  res.setHeader("Set-Cookie", [...fieldsOf(res), ...cookies])
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
