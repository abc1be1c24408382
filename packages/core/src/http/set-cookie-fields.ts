/** `Set-Cookie` fields of a response: the name of the cookie in each, and the `Cookie` header that a browser sends after them. */

/**
 * The `Cookie` header that a browser would send after a response with these `Set-Cookie` fields: for a call that follows
 * another one which has set cookies, in the same request. `sent` is the `Cookie` header of the request, `fields` are the
 * values of `Set-Cookie`, each for one cookie. Cookies that no field names stay as they were sent; of several fields with one
 * name the last counts, whatever its domain and path. A field clears its cookie by a `Max-Age` of 0 or less, or by an
 * `Expires` that is not after `now`.
 *
 * @returns pairs joined by `; `, or an empty string when there are none
 */
export function cookiesAfter(sent: string | null | undefined, fields: readonly string[], now: Date): string {
  const set = new Map(fields.map((field) => [cookieNameIn(field), field]))
  const kept = (sent ?? "").split(";").filter((pair) => !set.has(cookieNameIn(pair)))
  const added = [...set.values()].filter((field) => !isCleared(field, now)).map((field) => field.split(";", 1)[0] ?? "")
  return [...kept, ...added]
    .map(trimmed)
    .filter((pair) => pair !== "")
    .join("; ")
}

/** The name of the cookie in a `Set-Cookie` field, or in a pair of a `Cookie` header; empty when it has none. */
export function cookieNameIn(text: string): string {
  return trimmed(text.split(/[=;]/, 1)[0] ?? "")
}

/** RFC 6265 §5.2: spaces and tabs only. Other blanks, which `String.trim` removes too, are part of the name. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  // A regular expression for the end would try each of many blanks in the middle.
  while (isBlank(text[start])) start++
  while (isBlank(text[end - 1])) end--
  return text.slice(start, end)
}

const isBlank = (character: string | undefined): boolean => character === " " || character === "\t"

/** RFC 6265 §5.3: `Max-Age` takes precedence over `Expires`. */
function isCleared(field: string, now: Date): boolean {
  const seconds = /;\s*max-age=(-?\d+)/i.exec(field)?.[1]
  if (seconds !== undefined) return Number(seconds) <= 0
  const date = /;\s*expires=([^;]+)/i.exec(field)?.[1]
  return date !== undefined && Date.parse(date) <= now.getTime()
}
