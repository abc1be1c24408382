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
    "code_verifier client_secret clientsecret client_assertion assertion password secret apikey api_key key sig signature"
  ).split(" "),
)
const longestSecretName = 20
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
  const words = /[\w.-]+/g
  for (let match = words.exec(text); match; match = words.exec(text)) {
    const word = { text, from: match.index, to: words.lastIndex }
    const found = isCut && word.to === text.length ? [word] : secretsAt(word)
    for (const { from, to } of found) {
      result += text.slice(copied, from) + redacted
      copied = to
      words.lastIndex = Math.max(words.lastIndex, to)
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
  const value = isSecretName(word) ? parameterValue : isCookieName(word) ? cookieValue : undefined
  const end = value ? endOf(text, to + 1, value) : 0
  return end > to + 1 ? { from: to + 1, to: end } : undefined
}

/** `"code": "..."`, also within a string that holds JSON as a string. */
function memberAt(word: Word): Span | undefined {
  const { text, from, to } = word
  if (!quote.test(text.charAt(from - 1)) || !isSecretName(word)) return undefined
  const colon = endOf(text, skipQuote(text, to), blanks)
  if (text[colon] !== ":") return undefined
  const value = endOf(text, colon + 1, blanks)
  const start = skipQuote(text, value)
  if (start === value) return undefined
  // Where the quotes themselves are escaped, so is the one that ends the value.
  const isNested = text[value] === "\\"
  return { from: start, to: endOfText(text, start, isNested) }
}

/** `Bearer ...` */
function credentialsAt(word: Word): Span | undefined {
  const { text, from, to } = word
  if (to - from > 6) return undefined
  if (!schemesOfCredentials.has(text.slice(from, to).toLowerCase())) return undefined
  const start = endOf(text, to, blanks)
  const end = endOf(text, start, credential)
  return start === to || end - start < 4 ? undefined : { from: start, to: end }
}

/** `scheme://user:password@host` */
function passwordAt({ text, to }: Word): Span | undefined {
  if (text[to] !== ":" || !text.startsWith("//", to + 1)) return undefined
  const from = to + 3
  const [authority = ""] = text.slice(from, from + authorityLimit).split(/[/ \t\n\r\f\v]/, 1)
  const colon = authority.indexOf(":")
  const end = authority.lastIndexOf("@")
  return colon >= 0 && end > colon ? { from, to: from + end } : undefined
}

/** Compact tokens (JWS and JWE), and random values of 32 bytes in hex or base64url. */
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
  const text = part.text.slice(part.from, part.to)
  // Of mixed case with a digit, so that words survive.
  if (text.length === 43 && [/\d/, /[a-z]/, /[A-Z]/].every((kind) => kind.test(text))) return [part]
  const starts = [...text.matchAll(/(?<![^-])[\da-f]{64}(?![^-])/gi)].map(({ index }) => part.from + index)
  return starts.map((from) => ({ from, to: from + 64 }))
}

function isSecretName({ text, from, to }: Word): boolean {
  return to - from <= longestSecretName && secretNames.has(text.slice(from, to).toLowerCase())
}

function isCookieName({ text, from, to }: Word): boolean {
  const name = text.slice(from, to)
  return ["__Secure-", "__Host-", "authjs."].some((part) => name.includes(part))
}

const quote = /["']/
const blanks = /[ \t\n\r\f\v]*/
const credential = /[\w.~+/=-]*/
const parameterValue = /[^&"'<>; \t\n\r\f\v]*/
const cookieValue = /[^;,"' \t\n\r\f\v]*/

/** Where a run of such characters ends. */
function endOf(text: string, from: number, run: RegExp): number {
  const here = new RegExp(run, "y")
  here.lastIndex = from
  return from + (here.exec(text)?.[0].length ?? 0)
}

/** Where a quoted string ends: at its quote, or at the end of the whole. */
function endOfText(text: string, from: number, isNested: boolean): number {
  const end = text[from - 1]
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === end) return at
    if (character !== "\\") continue
    if (isNested && text[at + 1] === end) return at
    at += 1
  }
  return text.length
}

/** Behind a quote, which may be escaped; the same place where there is none. */
function skipQuote(text: string, at: number): number {
  const place = text[at] === "\\" ? at + 1 : at
  return quote.test(text.charAt(place)) ? place + 1 : at
}
