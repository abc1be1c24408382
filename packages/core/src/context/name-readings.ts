/** What else a name may be read as that somebody typed: a number, without what is written beside its digits. */
import { foldedLetters } from "../std/folded.js"

/** Older collations take all of these for one another, letters and pictures. */
const beyondFirstPlane = /[\u{10000}-\u{10ffff}]/u

/** No letter and no digit, also not to databases, which take a letter in a circle for the letter. */
export function isOfSigns(text: string): boolean {
  const isOne = (read: string): boolean => !/[\p{L}\p{N}]/u.test(read)
  return text.length <= longestNumber && !beyondFirstPlane.test(text) && isOne(text) && isOne(foldedLetters(text))
}

/** Is it more than the beginning of a number, which pages fill in for everybody? */
export const saysNumber = (text: string): boolean =>
  text.length > longestNumber ||
  !isOfNumber(text) ||
  beyondFirstPlane.test(text) ||
  digitsOf(foldedLetters(text)).length >= 5

/** Shorter ones are names that have some digits in them. */
const leastDigits = 6

/**
 * Applications take the digits out of a number, and a database may compare one as such. A number that hides a part of itself is
 * read as all others that do.
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

/** Without a letter it is no address and no name, but a number, in whatever field. */
const isOfNumber = (name: string): boolean => !/\p{L}/u.test(name)

/** A name that nobody has. It folds to itself. */
export const hiding = "#,;~"

/**
 * Libraries that read phone numbers leave out what stands behind these signs, or in front of a last `#`, and of a number that is
 * written in this way they find the same person by any number of texts. Nobody types as much into a number as they do not read.
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

/** The name itself where `read` has too few. */
function digitsIn(name: string, read = name): string {
  const digits = digitsOf(read)
  return hasEnough(digits) ? digits.replace(/^0+(?=.)/, "") : name
}

/** Libraries that read phone numbers read no longer text, and nobody types one into a number. */
const longestNumber = 250

/** Some applications read the digits of other scripts as well, and databases take a letter in a circle for the letter. */
const inAnyScript = (name: string): string => (name.length <= longestNumber ? foldedLetters(name) : name)

/**
 * Libraries that read phone numbers leave out what stands in front of one and behind it, such as `Tel.` or `x7`. Of several numbers
 * the first and the last are taken.
 */
function numbersIn(name: string): readonly string[] {
  const runs = name.match(/\P{L}+/gu) ?? []
  // To fold a text takes time: most runs have no number.
  const numbers = runs.filter((run) => run.replace(/\P{Nd}/gu, "").length >= leastDigits)
  return [numbers[0], numbers.at(-1)].flatMap((run) => (run === undefined ? [] : digitsIn(run, inAnyScript(run))))
}

/** Columns of that type take any of them with braces, and with a hyphen behind each four digits or none. */
function uuidIn(name: string): string {
  const digits = name.replace(/[{}-]/g, "")
  return /^[0-9a-f]{32}$/i.test(digits) ? digits : name
}
