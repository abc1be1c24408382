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
