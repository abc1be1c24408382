/**
 * Secrets in a string, found by their shape. The string is read once from its beginning to its end, word by word, and no
 * character is read more than a few times, so that hostile input cannot make it slow.
 */

/** What stands where a secret stood. */
export const redacted = "[redacted]"

/** Names of parameters and members whose values are secrets, in lower case. */
const secretNames: ReadonlySet<string> = new Set(
  (
    "code state nonce token access_token refresh_token id_token logout_token session_token sessiontoken csrftoken " +
    "accesstoken refreshtoken idtoken " +
    "code_verifier client_secret clientsecret client_assertion assertion password secret apikey api_key key sig signature"
  ).split(" "),
)
const longestSecretName = 20
/** Without quotes around them these are names of many things, such as the code of an error. */
const ambiguousNames: ReadonlySet<string> = new Set(["code", "key", "state"])
const schemesOfCredentials: ReadonlySet<string> = new Set(["bearer", "basic", "dpop"])
const authorityLimit = 400

/** A part of a string. */
interface Span {
  readonly from: number
  readonly to: number
}

/** A word of a string: the longest run of letters, digits, `_`, `-` and `.`. */
interface Word extends Span {
  readonly text: string
}

/** The string without what looks like a secret. With `isCut`, its last word may be half a secret, and is removed. */
export function withoutSecrets(text: string, isCut = false): string {
  let result = ""
  let copied = 0
  let at = 0
  while (at < text.length) {
    if (!isWord(text.charCodeAt(at))) {
      at += 1
      continue
    }
    const word = { text, from: at, to: endOf(text, at, isWord) }
    at = word.to
    const found = isCut && word.to === text.length ? [word] : secretsAt(word)
    for (const { from, to } of found) {
      result += text.slice(copied, from) + redacted
      copied = to
      at = Math.max(at, to)
    }
  }
  return copied === 0 ? text : result + text.slice(copied)
}

/** The secrets that a word is, holds or announces. */
function secretsAt(word: Word): readonly Span[] {
  const announced = parameterAt(word) ?? memberAt(word) ?? credentialsAt(word) ?? passwordAt(word)
  return announced ? [announced] : secretsWithin(word)
}

/** `code=...`: parameters of queries and forms, and the cookies of this library, renamed ones with the usual prefixes. */
function parameterAt(word: Word): Span | undefined {
  const { text, to } = word
  if (text[to] !== "=") return undefined
  const isValue = isSecretName(word) ? isParameterValue : isCookieName(word) ? isCookieValue : undefined
  return isValue && notEmpty({ from: to + 1, to: endOf(text, to + 1, isValue) })
}

/** `"code": "..."`, also within a string that holds JSON as a string; and `password: "..."`, as databases and inspectors write objects. */
function memberAt(word: Word): Span | undefined {
  const { text, from, to } = word
  if (!isSecretName(word)) return undefined
  const isNamed = isQuote(text.charCodeAt(from - 1)) || !ambiguousNames.has(text.slice(from, to).toLowerCase())
  if (!isNamed) return undefined
  const colon = endOf(text, skipQuote(text, to), isBlank)
  if (text[colon] !== ":") return undefined
  const value = endOf(text, colon + 1, isBlank)
  const start = skipQuote(text, value)
  if (start === value) return undefined
  // Where the quotes themselves are escaped, so is the one that ends the value.
  const isNested = text[value] === "\\"
  return { from: start, to: endOfText(text, start, isNested) }
}

/** `Bearer ...` */
function credentialsAt(word: Word): Span | undefined {
  const { text, from, to } = word
  if (to - from > 6 || !isBlank(text.charCodeAt(to))) return undefined
  if (!schemesOfCredentials.has(text.slice(from, to).toLowerCase())) return undefined
  const start = endOf(text, to, isBlank)
  const end = endOf(text, start, isCredential)
  return end - start < 4 ? undefined : { from: start, to: end }
}

/** `scheme://user:password@host` */
function passwordAt({ text, to }: Word): Span | undefined {
  if (text[to] !== ":" || !text.startsWith("//", to + 1)) return undefined
  const from = to + 3
  let colon = 0
  let password = 0
  for (let at = from; at < text.length && at < from + authorityLimit; at += 1) {
    const character = text.charAt(at)
    if (character === "/" || isBlank(text.charCodeAt(at))) break
    if (character === ":") colon ||= at
    if (character === "@" && colon > 0) password = at
  }
  return password > 0 ? { from, to: password } : undefined
}

/** Compact tokens (JWS and JWE), random values of 32 bytes in base64url, and of 32 or more in hex: session tokens may have a digest behind. */
function secretsWithin(word: Word): readonly Span[] {
  const { text, to } = word
  if (to - word.from < 10) return []
  const found: Span[] = []
  let part = word.from
  let header = -1
  let dots = 0
  for (let at = word.from; at <= to; at += 1) {
    // The header of a compact token is the base64url of an object in JSON.
    if (header < 0 && text.startsWith("eyJ", at)) header = at
    if (at < to && text.charAt(at) !== ".") continue
    if (header >= 0 && at < to) dots += 1
    found.push(...randomIn({ text, from: part, to: at }))
    part = at + 1
  }
  return dots >= 2 ? [...found.filter((span) => span.to <= header), { from: header, to }] : found
}

/** A random value in a part of a word without dots: all of it in base64url, or what stands between dashes in hex. */
function randomIn(part: Word): readonly Span[] {
  const { text, from, to } = part
  if (to - from === 43 && isMixed(part)) return [part]
  const found: Span[] = []
  let start = from
  for (let at = from; at <= to; at += 1) {
    if (at < to && text.charAt(at) !== "-") continue
    if (at - start >= 64 && endOf(text, start, isHex) >= at) found.push({ from: start, to: at })
    start = at + 1
  }
  return found
}

/** Of mixed case with a digit, so that words survive. */
function isMixed({ text, from, to }: Word): boolean {
  const has = { digit: false, lower: false, upper: false }
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at)
    has.digit ||= isDigit(unit)
    has.lower ||= isLower(unit)
    has.upper ||= isUpper(unit)
  }
  return has.digit && has.lower && has.upper
}

function isSecretName({ text, from, to }: Word): boolean {
  return to - from <= longestSecretName && secretNames.has(text.slice(from, to).toLowerCase())
}

function isCookieName({ text, from, to }: Word): boolean {
  const name = text.slice(from, to)
  return ["__Secure-", "__Host-", "authjs."].some((part) => name.includes(part))
}

type Test = (unit: number) => boolean

/** Where a run of such characters ends. */
function endOf(text: string, from: number, belongs: Test): number {
  let at = from
  while (at < text.length && belongs(text.charCodeAt(at))) at += 1
  return at
}

/** Where a quoted string ends: at its quote, or at the end of the whole. */
function endOfText(text: string, from: number, isNested: boolean): number {
  const quote = text[from - 1]
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === quote) return at
    if (character !== "\\") continue
    if (isNested && text[at + 1] === quote) return at
    at += 1
  }
  return text.length
}

/** Behind a quote, which may be escaped; the same place where there is none. */
function skipQuote(text: string, at: number): number {
  const quote = text[at] === "\\" ? at + 1 : at
  return isQuote(text.charCodeAt(quote)) ? quote + 1 : at
}

function notEmpty(span: Span): Span | undefined {
  return span.to > span.from ? span : undefined
}

/** Whether a character is one of these, all of ASCII. */
function oneOf(characters: string): Test {
  const table = Array.from({ length: 128 }, (_, unit) => characters.includes(String.fromCharCode(unit)))
  return (unit) => table[unit] === true
}

function noneOf(characters: string): Test {
  const excluded = oneOf(characters)
  return (unit) => !excluded(unit)
}

const lower = "abcdefghijklmnopqrstuvwxyz"
const letters = lower + lower.toUpperCase()
const digits = "0123456789"
const blanks = " \t\n\r\f\v"
const isWord = oneOf(`${letters}${digits}_.-`)
const isDigit = oneOf(digits)
const isLower = oneOf(lower)
const isUpper = oneOf(lower.toUpperCase())
const isHex = oneOf(`${digits}abcdefABCDEF`)
const isBlank = oneOf(blanks)
const isQuote = oneOf(`"'`)
const isCredential = oneOf(`${letters}${digits}_.~+/=-`)
const isParameterValue = noneOf(`&"'<>;${blanks}`)
const isCookieValue = noneOf(`;,"'${blanks}`)
