/** What dialects share: numbers as keys, times, and the values of columns that the application added. */
import { asBoolean, asNumber, asTime, storableText } from "../values.js"
import type { Column, DeclaredType } from "./dialect.js"

/** Was the column made for whole numbers? */
export function holdsIntegers(declared: DeclaredType): boolean {
  return /int|serial/.test(declared) && !/^(interval|point|enum\(|set\()/.test(declared)
}

/** Largest values of the integer types, by the beginning of their names. */
const largest: readonly (readonly [RegExp, bigint])[] = [
  [/^tinyint/, 127n],
  [/^(smallint|int2)/, 32_767n],
  [/^mediumint/, 8_388_607n],
  [/^(bigint|int8)/, 9_223_372_036_854_775_807n],
  [/^int/, 2_147_483_647n],
]

/** Does the column hold the number? Types that are not known as integers are taken to hold every one. */
export function holds(number: bigint, declared: DeclaredType): boolean {
  const most = largest.find(([pattern]) => pattern.test(declared))?.[1]
  if (most === undefined) return true
  return declared.includes("unsigned")
    ? number >= 0n && number <= most * 2n + 1n
    : number >= -most - 1n && number <= most
}

/**
 * The number of a key, whose text must name the same row and no other.
 * @throws TypeError when the column cannot hold it, or its text is not how the number is written
 */
export function integerKey(value: unknown, declared: DeclaredType): bigint {
  const text = String(value)
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) throw new TypeError("This id is not an integer, which the table requires.")
  const number = BigInt(text)
  if (holds(number, declared)) return number
  throw new TypeError("This id is too large for the table.")
}

/**
 * The text for a column of numbers that are not whole, as such columns write whole ones: another notation of the number
 * would name the same row.
 * @throws TypeError for any other text
 */
export function digitsOf(text: string): string {
  if (/^(0|-?[1-9]\d*)$/.test(text)) return text
  throw new TypeError("This is not a whole number, which the table requires.")
}

/**
 * A UUID in the one way in which databases write the type; another one would name the same row by another text.
 * @throws TypeError for any other text
 */
export function uuidOf(text: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return text
  throw new TypeError("This id is not a UUID.")
}

/** An id that was read as text: a number, where one names it and no other. */
export function idFromText(value: unknown): unknown {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

/** The number of a key as the driver takes it: numbers beyond 2^53 go as text, because one would stand for several. */
export function idToDriver(number: bigint): number | string {
  return Number.isSafeInteger(Number(number)) ? Number(number) : String(number)
}

/** A value for a text column: anything but a string is stored as JSON. */
export function textOf(value: unknown): string {
  return storableText(typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
}

/** Texts of a limited length hold times as milliseconds since 1970: so does TypeORM's adapter for Auth.js. */
export function holdsMilliseconds(declared: DeclaredType): boolean {
  return /^(varchar|character varying)/.test(declared)
}

/** A time for a column that was made for texts. */
export function timeText(value: unknown, declared: DeclaredType): string {
  return holdsMilliseconds(declared) ? String(asTime(value).getTime()) : isoOf(value)
}

/** UTC text with milliseconds. */
export function isoOf(value: unknown): string {
  return asTime(value).toISOString()
}

/** How values of each kind are written. Missing values do not come here. */
export type Writers = Readonly<Record<Column["kind"], (value: unknown, declared: DeclaredType) => unknown>>

/** Writes a value as its column takes it. */
export function toColumnBy(writers: Writers): (value: unknown, column: Column) => unknown {
  return (value, { kind, declared }) => (value === null || value === undefined ? null : writers[kind](value, declared))
}

/** A column that says only whether something is so, in place of when it was. */
export const holdsTruth = (declared: DeclaredType): boolean => /^(bool|tinyint\(1\))/.test(declared)

/** What every database reads alike. */
export function fromColumn(value: unknown, { kind, declared }: Column): unknown {
  if (value === null || value === undefined) return null
  // As a time, `false` would be 1970: an address that nobody has proven would be proven.
  if (kind === "time") return holdsTruth(declared) && Number(value) === 0 ? null : asTime(value)
  if (kind === "integer") return asNumber(value)
  if (kind === "id" && typeof value === "bigint") return String(value)
  return kind === "boolean" ? asBoolean(value) : value
}
