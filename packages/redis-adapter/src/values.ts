/** Rows as text and back. Dates come back as dates, everything else as JSON keeps it. */

/** A row as the service hands it over. */
export type Row = Record<string, unknown>

/** Texts become UTF-8 on their way; half a surrogate pair would become another character. */
export function isStorable(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

/** What names a row: a string, or a number as a string. A list or an object would be converted to the string that it holds. */
export function nameOf(value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return String(value)
  throw new TypeError(`Expected a string or a number, received a ${typeof value}.`)
}

/** The text itself, if a key can hold it exactly. */
export function storableText(text: string): string {
  if (isStorable(text)) return text
  throw new TypeError("A string with half a surrogate pair cannot be part of a key in Redis.")
}

/** Marks a date, so that a string that only looks like one stays a string. */
const dateMark = "$date"

/** Members that are `undefined` are left out. @throws TypeError for a date that is none. */
export function encode(row: object): string {
  return JSON.stringify(row, function (this: Row, name: string, value: unknown) {
    const original = this[name]
    if (typeof original === "bigint") return Number(original)
    if (!isDate(original)) return value
    return { [dateMark]: timeText(original) }
  })
}

/** @throws DamagedRowError when the text is no row. */
export function decode<T extends object>(text: string, what: string): T {
  try {
    // Walking through every member costs more than reading; most rows have no date.
    const row: unknown = text.includes(`"${dateMark}"`) ? JSON.parse(text, reviveDate) : JSON.parse(text)
    if (typeof row === "object" && row !== null && !Array.isArray(row)) return row as T
  } catch {
    // The message of a JSON error may quote the value.
  }
  throw new DamagedRowError(what)
}

/** A value in Redis is not what the adapter wrote. */
export class DamagedRowError extends Error {
  override name = "DamagedRowError"
  constructor(what: string, why: string = "its value was not written by this adapter") {
    super(`The ${what} in Redis cannot be read: ${why}. Restore it, or delete its key.`)
  }
}

function reviveDate(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  const time = (value as Row)[dateMark]
  return typeof time === "string" && Object.keys(value).length === 1 ? new Date(time) : value
}

// Dates of another realm (a test runner, a worker) fail `instanceof`.
function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]"
}

function timeText(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new TypeError("Expected a date, received an invalid one.")
  return date.toISOString()
}

/** Milliseconds since 1970, from a date or ISO text. @throws TypeError when it is none. */
export function milliseconds(value: unknown): number {
  const time = isDate(value) ? value.getTime() : typeof value === "string" ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw new TypeError(
    `Expected a date in "expires", received ${value === null ? "null" : `an invalid ${typeof value}`}.`,
  )
}

/** The members of a patch that carry a value; `undefined` means "not given". */
export function given(patch: object): Row {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
}

/** A user, with every member the service knows. */
export function wholeUser<T extends object>(user: T): T {
  const row = { name: null, image: null, ...given(user) } as Row
  return { ...row, email: row["email"] ?? "", emailVerified: row["emailVerified"] ?? null } as T
}
