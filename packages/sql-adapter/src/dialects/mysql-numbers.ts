/** Numbers and times in MySQL and MariaDB: what a column would clip or round is refused, because not every server says so. */
import { asNumber, asTime } from "../values.js"
import { holds, holdsIntegers } from "./columns.js"
import type { DeclaredType } from "./dialect.js"

const outOfRange = (what: string, declared: DeclaredType): TypeError =>
  new TypeError(`${what} is out of range for the column (${declared}).`)

const largestFloat = 3.402823466e38

/** The largest value of `decimal(p,s)`, `float` and the like. What has no limit of its own holds every number. */
function roomOf(declared: DeclaredType): number {
  const [, type, digits, fraction = "0"] = /^(decimal|float|double)(?:\((\d+),(\d+)\))?/.exec(declared) ?? []
  if (digits !== undefined) return 10 ** (Number(digits) - Number(fraction)) - 10 ** -Number(fraction)
  return type === "float" ? largestFloat : Number.POSITIVE_INFINITY
}

/**
 * The number, if the column holds it. A decimal keeps the digits that it was declared with, as everywhere in SQL.
 * @throws TypeError when it is too large or too small, or has a fraction that a column for whole numbers would lose
 */
export function fittingNumber(number: number, declared: DeclaredType): number {
  if (holdsIntegers(declared)) {
    if (!Number.isInteger(number)) {
      throw new TypeError(`A number with a fraction does not fit the column (${declared}).`)
    }
    if (!holds(BigInt(number), declared)) throw outOfRange("A number", declared)
    return number
  }
  const isBelow = declared.includes("unsigned") && number < 0
  if (isBelow || Math.abs(number) > roomOf(declared)) throw outOfRange("A number", declared)
  return number
}

/** A string or a large integer for an integer column. */
export function fittingDigits(value: string | bigint, declared: DeclaredType): string {
  const text = String(value)
  if (!/^-?\d+$/.test(text)) fittingNumber(asNumber(text), declared)
  else if (!holds(BigInt(text), declared)) throw outOfRange("A number", declared)
  return text
}

/** The last second of a `timestamp`, in most versions. */
const lastSecond = 2_147_483_647

/** Seconds since 1970 for a `timestamp`, with three digits after the point. */
export function fittingSeconds(time: Date, declared: DeclaredType): string {
  const seconds = Math.floor(time.getTime() / 1000)
  if (seconds < 1 || seconds > lastSecond) throw outOfRange("A time", declared)
  return secondsOf(time)
}

/** The same for a comparison, which may be with any time. */
export function secondsOf(time: Date): string {
  return (time.getTime() / 1000).toFixed(3)
}

/** UTC text for a `datetime`, which ends with the year 9999. */
export function fittingDatetime(value: unknown, declared: DeclaredType): string {
  const text = asTime(value).toISOString()
  if (text.length !== 24) throw outOfRange("A time", declared)
  return text.slice(0, -1).replace("T", " ")
}
