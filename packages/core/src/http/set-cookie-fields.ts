/** `Set-Cookie` fields that are written already: whose they are, and what a browser sends once it has them. */

/**
 * The `Cookie` header of a request as a browser would send it after a response with these `Set-Cookie` fields: for calls
 * that follow one which has set cookies, in the same request. What the fields do not name stays as it was sent; of several
 * fields of one name the last counts, whichever domain or path it is for. `now` decides which fields clear their cookie by
 * a date.
 *
 * @returns pairs joined by `; `; empty without any
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

/** The name in a `Set-Cookie` field, or in a pair of a `Cookie` header. */
export function cookieNameIn(text: string): string {
  return trimmed(/^[^=;]*/.exec(text)?.[0] ?? "")
}

/** RFC 6265 §5.2: space and tab. Whatever else `String.trim` takes off belongs to the name, which would become another. */
function trimmed(text: string): string {
  return text.replace(/^[ \t]+|[ \t]+$/g, "")
}

/** RFC 6265 §5.2: `Max-Age` counts for more than the date. */
function isCleared(field: string, now: Date): boolean {
  const seconds = /;\s*max-age=(-?\d+)/i.exec(field)?.[1]
  if (seconds !== undefined) return Number(seconds) <= 0
  const date = /;\s*expires=([^;]+)/i.exec(field)?.[1]
  return date !== undefined && Date.parse(date) <= now.getTime()
}
