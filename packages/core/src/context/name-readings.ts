/** The ways in which applications and databases may read a name that was typed, such as a phone number by its digits alone. */
import { foldedLetters } from "../std/folded.js"

/** Older collations treat all of these as equal, letters and pictures alike. */
const beyondFirstPlane = /[\u{10000}-\u{10ffff}]/u

/** Has the text neither a letter nor a digit, even for a database that reads `ⓐ` as `a`? */
export function isOfSigns(text: string): boolean {
  const isOne = (read: string): boolean => !/[\p{L}\p{N}]/u.test(read)
  return text.length <= longestNumber && !beyondFirstPlane.test(text) && isOne(text) && isOne(foldedLetters(text))
}

/** Does the text say whose number it is? A page may fill in the first digits, such as `+49`, for everybody. */
export const saysNumber = (text: string): boolean =>
  text.length > longestNumber ||
  !isOfNumber(text) ||
  beyondFirstPlane.test(text) ||
  digitsOf(foldedLetters(text)).length >= 5

/** Shorter ones are names that have some digits in them. */
const leastDigits = 6

/**
 * All readings of a name, at least one. `isOfDigits`: the field is for a number, of which applications take the digits. Texts in which
 * a library would ignore a part all have the same reading, {@link hiding}.
 */
export function readingsOfName(name: string, isOfDigits: boolean): readonly string[] {
  if (isHiding(name, isOfDigits)) return [hiding]
  const read = inAnyScript(name)
  const digits = [digitsIn(name), digitsIn(name, inAnyScript(name.replace(/\P{Nd}/gu, ""))), digitsIn(name, read)]
  // Those of digits alone fold to the same, and one with a plus in front is how phone numbers are written.
  const isPlain = /^\+?\d*$/.test(name)
  if (isOfDigits) {
    // What has a letter, a point or a line may be a number in another notation.
    const isNumber = /[\p{L}._]/u.test(name) || (!Number.isNaN(Number(name)) && !isPlain)
    return [...new Set([...(isNumber ? [name] : []), ...digits, ...numbersIn(name)])]
  }
  if (!isOfNumber(read)) return [...new Set([name, uuidIn(name)])]
  return isPlain ? [digitsIn(name)] : [...new Set([name, ...digits])]
}

/** A name without a letter is a number, whatever its field is for. */
const isOfNumber = (name: string): boolean => !/\p{L}/u.test(name)

/** Stands for every text in which a library ignores a part. Nobody has this name, and folding leaves it as it is. */
export const hiding = "#,;~"

/**
 * Libraries for phone numbers ignore what follows one of these signs, or precedes a `#` at the end, as an extension. One number could
 * then be written in any number of ways, each with tries of its own.
 */
function isHiding(name: string, isOfDigits: boolean): boolean {
  if (name.length > longestNumber) return isOfDigits
  const text = name.normalize("NFKC")
  const [inner = ""] = /\p{N}.*\p{N}/su.exec(text) ?? []
  const isParted = /[#,;~∼⁓]/.test(inner) || (/[\p{Pd}\s(]/u.test(inner) && /#\P{N}*$/u.test(text))
  return isParted && hasEnough(digitsOf(inAnyScript(name))) && (isOfDigits || isOfNumber(inAnyScript(name)))
}

const hasEnough = (digits: string): boolean => digits.length >= leastDigits

const digitsOf = (text: string): string => text.replace(/[^0-9]/g, "")

/** The digits of `read` without leading zeros; the name itself where there are too few of them. */
function digitsIn(name: string, read = name): string {
  const digits = digitsOf(read)
  return hasEnough(digits) ? digits.replace(/^0+(?=.)/, "") : name
}

/** The longest text, in characters, in which libraries look for a phone number. */
const longestNumber = 250

/** The name with the digits of every script as ASCII; some applications and databases read them so. */
const inAnyScript = (name: string): string => (name.length <= longestNumber ? foldedLetters(name) : name)

/**
 * The first and the last number in the name. Libraries for phone numbers ignore what surrounds one, such as `Tel.` in front or `x7`
 * behind it.
 */
function numbersIn(name: string): readonly string[] {
  const runs = name.match(/\P{L}+/gu) ?? []
  // Folding is slow, and most runs contain no number.
  const numbers = runs.filter((run) => run.replace(/\P{Nd}/gu, "").length >= leastDigits)
  return [numbers[0], numbers.at(-1)].flatMap((run) => (run === undefined ? [] : digitsIn(run, inAnyScript(run))))
}

/** A UUID without braces and hyphens, which database columns of that type accept in many places; any other name as it is. */
function uuidIn(name: string): string {
  const digits = name.replace(/[{}-]/g, "")
  return /^[0-9a-f]{32}$/i.test(digits) ? digits : name
}
