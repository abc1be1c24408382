/** Conversion of values for columns and back: a value that cannot be stored exactly is refused. */

/** A string that databases store exactly. A zero byte ends a string in some; half a surrogate pair is not valid Unicode. */
export function isStorable(text: unknown): text is string {
  return typeof text === "string" && !text.includes("\u0000") && !/\p{Surrogate}/u.test(text)
}

/** The text itself, if it can be stored. */
export function storableText(text: string): string {
  if (isStorable(text)) return text
  throw new TypeError("A string with a zero byte or half a surrogate pair cannot be stored.")
}

/**
 * Any JSON value as text. Strings are stored as they are, as other libraries that share the table do; any other value
 * stands as JSON behind a space.
 */
export function toJsonText(value: unknown): unknown {
  const isPlain = value === null || (typeof value === "string" && !isJsonText(value))
  return isPlain ? value : ` ${JSON.stringify(value)}`
}

/** The JSON value of a string that {@link toJsonText} wrote, or another library. */
export function fromJsonText(text: unknown): unknown {
  return isJsonText(text) ? JSON.parse(text) : text
}

function isJsonText(value: unknown): value is string {
  if (typeof value !== "string" || !value.startsWith(" ")) return false
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

/** A finite number. */
export function asNumber(value: unknown): number {
  const number = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value)
  if (Number.isFinite(number)) return number
  throw new TypeError(`Expected a number, received an invalid ${typeof value}.`)
}

/** Yes or no, also where a database has numbers for it. */
export function asBoolean(value: unknown): boolean {
  return value === true || value === "true" || value === "t" || Number(value) === 1
}

/** A time, from any notation that libraries store: ISO text, text without a zone (UTC), milliseconds since 1970. */
export function asTime(value: unknown): Date {
  const time = typeof value === "string" ? textTime(value) : new Date(value instanceof Date ? value : Number(value))
  if (!Number.isNaN(time.getTime())) return time
  throw new TypeError(`Expected a time, received an invalid ${typeof value}.`)
}

const letterZ = 0x5a

function textTime(text: string): Date {
  // Our own notation, which nearly all are in.
  if (text.length === 24 && text.charCodeAt(23) === letterZ) return new Date(text)
  if (/^-?\d+$/.test(text)) return new Date(Number(text))
  const hasZone = /(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text) && text.length > 10
  return new Date(hasZone || text.length <= 10 ? text : `${text.replace(" ", "T")}Z`)
}
