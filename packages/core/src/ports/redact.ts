/** The rule that no secret reaches a log: by the name of a member, and by the shape of a text. */

/** What stands where a secret stood. */
export const redacted = "[redacted]"

const limits = { text: 8_000, depth: 8, members: 100 } as const

const secretParameters =
  "code|state|nonce|token|access_token|refresh_token|id_token|logout_token|session_token|sessionToken|csrfToken|" +
  "code_verifier|client_secret|clientSecret|client_assertion|assertion|password|secret|apiKey|api_key|key|sig|signature"

/** Shapes of secrets inside a text, and what is left of each. */
const shapes: readonly (readonly [RegExp, string])[] = [
  // JWS and JWE in compact form: the header is base64url of an object in JSON.
  [/eyJ[\w-]{4,}\.[\w-]*\.[\w-]*(?:\.[\w-]*){0,2}/g, redacted],
  [/\b(Bearer|Basic|DPoP)\s+[\w.~+/=-]{4,}/gi, `$1 ${redacted}`],
  // Query parameters and form bodies; a link loses what makes it a key.
  [new RegExp(`([?&#;\\s"']|^)(${secretParameters})=[^&\\s"'<>;]+`, "gi"), `$1$2=${redacted}`],
  [new RegExp(`(["'](?:${secretParameters})["']\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, "gi"), `$1"${redacted}"`],
  // Session and check cookies, also renamed ones with the usual prefixes.
  [/((?:__(?:Secure|Host)-)[\w.-]+|[\w-]*authjs\.[\w.-]+)=[^;,\s"']+/g, `$1=${redacted}`],
  // Connection strings and addresses with a password.
  [/(\b[a-z][a-z\d+.-]{0,20}:\/\/)[^\s/@:]{0,200}:[^\s/@]{0,200}@/gi, `$1${redacted}@`],
  // Our own random values: 32 bytes in hex, and in base64url (mixed case with a digit, so that words survive).
  [/\b[\da-f]{64}\b/gi, redacted],
  [/(?<![\w-])(?=[\w-]{0,42}\d)(?=[\w-]{0,42}[a-z])(?=[\w-]{0,42}[A-Z])[\w-]{43}(?![\w-])/g, redacted],
]

/** Makes texts and values fit for a log. */
export interface Redactor {
  text(text: string): string
  value(value: unknown): unknown
  /** The error itself when it holds no secret, else a copy of the same kind without. */
  error(error: Error): Error
}

/** Makes a redactor that also knows some secrets by their value, such as the secret of the configuration. */
export function createRedactor(known: readonly string[] = []): Redactor {
  const values = known.filter((secret) => secret.length >= 8)
  const text = (given: string): string => {
    // What is cut off is not searched: a long text costs no more than a short one.
    let result = given.length > limits.text ? `${given.slice(0, limits.text)}…` : given
    for (const secret of values) result = result.replaceAll(secret, redacted)
    for (const [shape, replacement] of shapes) result = result.replace(shape, replacement)
    return result
  }
  return {
    text,
    value: (value) => cleanValue(value, { text, above: [] }),
    error: (error) => cleanError(error, { text, above: [] }),
  }
}

/** Redacts by name and shape alone. */
export function redact(value: unknown): unknown {
  return createRedactor().value(value)
}

interface Cleaning {
  readonly text: (text: string) => string
  /** The objects we are inside of: one of them again is a cycle. */
  readonly above: readonly object[]
}

function cleanValue(value: unknown, cleaning: Cleaning): unknown {
  if (typeof value === "string") return cleaning.text(value)
  if (typeof value === "bigint") return String(value)
  if (typeof value === "function") return "[function]"
  if (typeof value === "symbol") return "[symbol]"
  if (typeof value !== "object" || value === null) return value
  if (cleaning.above.includes(value)) return "[circular]"
  if (cleaning.above.length >= limits.depth) return "[…]"
  return cleanObject(value, { ...cleaning, above: [...cleaning.above, value] })
}

function cleanObject(value: object, inside: Cleaning): unknown {
  if (value instanceof Error) return describeError(value, inside)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString()
  if (value instanceof URL) return inside.text(value.href)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return "[bytes]"
  if (value instanceof URLSearchParams || (typeof Headers === "function" && value instanceof Headers)) {
    return cleanMembers(value.entries(), inside)
  }
  if (value instanceof Map) return cleanMembers(value.entries(), inside)
  if (Array.isArray(value) || value instanceof Set) {
    return [...value].slice(0, limits.members).map((item: unknown) => cleanValue(item, inside))
  }
  return cleanMembers(readMembers(value), inside)
}

/** Reads getters with care: one that throws hides nothing else. */
function* readMembers(value: object): Generator<[string, unknown]> {
  for (const key of Object.keys(value)) {
    let member: unknown
    try {
      member = (value as Record<string, unknown>)[key]
    } catch {
      member = "[unreadable]"
    }
    yield [key, member]
  }
}

function cleanMembers(
  entries: Iterable<readonly [unknown, unknown]>,
  inside: Cleaning,
  ofError = false,
): Record<string, unknown> {
  const result: Record<string, unknown> = Object.create(null)
  let count = 0
  for (const [key, member] of entries) {
    if (++count > limits.members) break
    const name = String(key)
    // The `code` of an error names it; the `code` of anything else may be worth an account.
    const isSecret = isSecretMember(name, member) && !(ofError && name === "code")
    result[inside.text(name)] = isSecret ? redacted : cleanValue(member, inside)
  }
  return result
}

const always = /(?:secrets?|passw(?:or)?d|passphrase|apikey|privatekey|verifier|assertion|cookies?|credentials|tokens)$/
const asText = /(?:token|state|nonce|salt|signature|authorization|challenge|otp|pin)$/
const errorCode = /^(?:[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|[A-Z\d]{5}|E[A-Z]{3,})$/

function isSecretMember(name: string, member: unknown): boolean {
  if (member === undefined || member === null || typeof member === "boolean") return false
  const key = name.toLowerCase().replace(/[^a-z\d]/g, "")
  if (always.test(key)) return true
  if (typeof member !== "string") return false
  // An address under such a name is a configured endpoint; its parameters are judged by shape.
  if (asText.test(key)) return !/^https?:\/\//.test(member)
  // `code` is an authorization code or the code of an error: only the latter has these forms.
  return key === "code" && !errorCode.test(member)
}

/** An error as data: for details and for errors inside metadata. */
function describeError(error: Error, inside: Cleaning): Record<string, unknown> {
  const members = cleanMembers(readMembers(error), inside, true)
  return {
    ...members,
    name: error.name,
    message: inside.text(error.message),
    ...(error.cause !== undefined && { cause: cleanValue(error.cause, inside) }),
  }
}

function cleanError(error: Error, cleaning: Cleaning): Error {
  const inside = { ...cleaning, above: [...cleaning.above, error] }
  const message = cleaning.text(error.message)
  const stack = typeof error.stack === "string" ? cleaning.text(error.stack) : undefined
  const cause = cleanCause(error.cause, inside)
  const members = cleanMembers(readMembers(error), inside, true)
  const isClean = message === error.message && stack === error.stack && cause === error.cause && isSame(members, error)
  if (isClean) return error
  // A real error with the prototype of the other: `instanceof`, `type` and inspectors work as before.
  const copy = Object.setPrototypeOf(new Error(message), Object.getPrototypeOf(error) as object) as Error
  for (const [name, value] of Object.entries({ ...members, name: error.name }))
    define(copy, name, { value, enumerable: true })
  define(copy, "message", { value: message })
  define(copy, "stack", { value: stack })
  if (cause !== undefined) define(copy, "cause", { value: cause })
  return copy
}

function cleanCause(cause: unknown, inside: Cleaning): unknown {
  if (cause === undefined) return undefined
  if (cause instanceof Error) {
    if (inside.above.includes(cause) || inside.above.length >= limits.depth) return undefined
    return cleanError(cause, inside)
  }
  if (typeof cause !== "object" || cause === null) return cleanValue(cause, inside)
  const { err, ...facts } = cause as Record<string, unknown>
  const clean = cleanMembers(Object.entries(facts), inside)
  const cleanErr = err instanceof Error ? cleanCause(err, inside) : cleanValue(err, inside)
  const isClean = cleanErr === err && isSame(clean, facts)
  return isClean ? cause : { ...clean, ...(cleanErr !== undefined && { err: cleanErr }) }
}

function define(target: object, name: string, member: PropertyDescriptor): void {
  Object.defineProperty(target, name, { enumerable: false, configurable: true, writable: true, ...member })
}

function isSame(clean: Record<string, unknown>, given: object): boolean {
  const names = Object.keys(given)
  return names.length === Object.keys(clean).length && names.every((name) => clean[name] === (given as never)[name])
}
