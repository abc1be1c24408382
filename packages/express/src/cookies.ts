/** Cookies of a request as the browser will have them after this response, and cookies added to the response. */
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
  const set = new Map(fields.map((field) => [nameOf(field), field]))
  const kept = (headers.cookie ?? "").split(";").filter((pair) => trimmed(pair) !== "" && !set.has(nameOf(pair)))
  const added = [...set.values()].filter((field) => !isCleared(field)).map((field) => field.split(";", 1)[0] ?? "")
  const { cookie: _, ...rest } = headers
  const cookie = [...kept.map(trimmed), ...added].join("; ")
  return cookie === "" ? rest : { ...rest, cookie }
}

function fieldsOf(res: ExpressResponse): string[] {
  const before = res.getHeader("Set-Cookie")
  return before === undefined ? [] : [before].flat().map(String)
}

/** Of a pair, or of a Set-Cookie field. */
function nameOf(text: string): string {
  return trimmed(/^[^=;]*/.exec(text)?.[0] ?? "")
}

/** RFC 6265 §5.2: space and tab. Whatever else `String.trim` takes off belongs to the name, which would become another. */
function trimmed(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, "")
}

/** RFC 6265 §5.2: `Max-Age` counts for more than the date. */
function isCleared(field: string): boolean {
  const seconds = /;\s*max-age=(-?\d+)/i.exec(field)?.[1]
  if (seconds !== undefined) return Number(seconds) <= 0
  const date = /;\s*expires=([^;]+)/i.exec(field)?.[1]
  return date !== undefined && Date.parse(date) <= Date.now()
}
