/** Seconds, dates and expiry. Always given "now"; the clock is read elsewhere. */

const isoDateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/

/** Says whether a value is text that holds an ISO 8601 date-time with a zone. */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && isoDateTime.test(value) && !Number.isNaN(Date.parse(value))
}

/** Whole seconds since 1970 (RFC 7519 §2, NumericDate). */
export function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

/** The date `seconds` after another one. */
export function secondsAfter(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000)
}

const twoDigits: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"))

/** A date as `toISOString` writes it, which takes engines several times as long. @throws RangeError for an invalid date */
export function toIsoText(date: Date): string {
  const year = date.getUTCFullYear()
  const milliseconds = date.getUTCMilliseconds()
  // Years of other lengths, and dates that are none.
  if (!(year >= 1000 && year <= 9999)) return date.toISOString()
  const day = `${year}-${twoDigits[date.getUTCMonth() + 1]}-${twoDigits[date.getUTCDate()]}`
  const time = `${twoDigits[date.getUTCHours()]}:${twoDigits[date.getUTCMinutes()]}:${twoDigits[date.getUTCSeconds()]}`
  return `${day}T${time}.${milliseconds === 0 ? "000" : String(milliseconds).padStart(3, "0")}Z`
}
