/** Redaction: no secret reaches a log, by the name of a member or by the shape of a string, and an entry is bounded. */
import { firstOf, isSecretMember, secretsIn } from "./secret-members.js"
import { redacted, withoutSecrets } from "./secrets-in-text.js"
import { spellingsOf } from "./spellings.js"

/**
 * Bounds of one log entry: characters of a string and of all strings, depth, members of one value, values, and how often a
 * character of a known secret may be compared with one of a text.
 */
const limits = {
  text: 8_000,
  texts: 32_000,
  depth: 8,
  members: 100,
  values: 1_000,
  comparisons: 500_000_000,
} as const

/** Redacts strings and values before they are logged. */
export interface Redactor {
  text(text: string): string
  value(value: unknown): unknown
  /** The error itself when it holds no secret, else a copy of the same kind without. */
  error(error: Error): Error
}

/**
 * Makes a redactor that also knows some secrets by their value, such as the secret of the configuration, where they have
 * `atLeast` so many characters.
 */
export function createRedactor(known: readonly string[] = [], atLeast?: number): Redactor {
  const values = spellingsOf(known, atLeast)
  const longest = values[0]?.length ?? 0
  const begin = (): Cleaning => {
    const left = { characters: limits.texts, values: limits.values, comparisons: limits.comparisons }
    const text = (given: string): string => {
      const limit = Math.min(limits.text, left.characters)
      left.characters -= Math.min(given.length, limit)
      const isCut = given.length > limit
      if (isCut && limit === 0) return "…"
      // A known secret that the end cuts in two is found as well. What is cut off costs nothing.
      const read = isCut ? given.slice(0, limit + longest) : given
      const sought = values.filter(({ length }) => length <= read.length)
      left.comparisons -= sought.reduce((sum, { length }) => sum + length, 0) * read.length
      // Whoever wrote secrets and text can make each search as slow as it gets.
      if (left.comparisons < 0) return redacted
      const clean = withoutValues(read, sought)
      return isCut ? `${withoutSecrets(clean.slice(0, limit), true)}…` : withoutSecrets(clean)
    }
    return { text, left, above: [] }
  }
  return {
    text: (text) => begin().text(text),
    value: (value) => cleanValue(value, begin()),
    error: (error) => cleanError(error, begin()),
  }
}

/** No character of a text (Unicode §23.7). */
const gap = "\uFFFF"

/** The text shrinks with each of the secrets: whoever chose them could let it grow, where one stands in what replaces another. */
function withoutValues(text: string, values: readonly string[]): string {
  if (values.length === 0) return text
  return values.reduce((rest, secret) => rest.replaceAll(secret, gap), text).replaceAll(gap, redacted)
}

/**
 * The error without what these values hold under the names of secrets: some software repeats in its messages what it was
 * given. Secrets with fewer characters than `atLeast` stay.
 */
export function withoutSecretsOf(given: readonly unknown[], error: Error, atLeast?: number): Error {
  const known = secretsIn(given)
  if (known.length === 0) return error
  const redactor = createRedactor(known, atLeast)
  try {
    return redactor.error(error)
  } catch {
    // What is attached to it cannot be read.
    return new Error(redactor.text(error.message))
  }
}

interface Cleaning {
  readonly text: (text: string) => string
  /** What may still be shown of the whole. */
  readonly left: { values: number }
  /** The objects we are inside of: one of them again is a cycle. */
  readonly above: readonly object[]
}

function cleanValue(value: unknown, cleaning: Cleaning): unknown {
  if (cleaning.left.values-- <= 0) return "[…]"
  if (typeof value === "string") return cleaning.text(value)
  if (typeof value === "bigint") return cleaning.text(String(value))
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
    return firstOf(value, limits.members).map((item) => cleanValue(item, inside))
  }
  return cleanMembers(readMembers(value), inside)
}

/** Reads the members of an object, or those of these names; a getter that throws does not hide the others. */
function* readMembers(value: object, names = Object.keys(value)): Generator<[string, unknown]> {
  for (const key of names) {
    let member: unknown
    try {
      member = (value as Record<string, unknown>)[key]
    } catch {
      member = "[unreadable]"
    }
    yield [key, member]
  }
}

/** The errors of an `AggregateError`: they are no enumerable member, and inspectors show them. */
function severalIn(error: Error): readonly unknown[] | undefined {
  const { enumerable, value } = Object.getOwnPropertyDescriptor(error, "errors") ?? {}
  return !enumerable && Array.isArray(value) ? value : undefined
}

function cleanMembers(
  entries: Iterable<readonly [unknown, unknown]>,
  inside: Cleaning,
  ofError = false,
): Record<string, unknown> {
  const result: Record<string, unknown> = Object.create(null)
  let count = 0
  for (const [key, member] of entries) {
    if (++count > limits.members || inside.left.values <= 0) break
    const name = String(key)
    // The `code` of an error names it; the `code` of anything else may be worth an account.
    const isSecret = isSecretMember(name, member) && !(ofError && name === "code")
    result[inside.text(name)] = isSecret ? redacted : cleanValue(member, inside)
  }
  return result
}

/** An error as data: for details and for errors inside metadata. */
function describeError(error: Error, inside: Cleaning): Record<string, unknown> {
  const several = severalIn(error)
  return {
    ...cleanMembers(readMembers(error), inside, true),
    ...(several && { errors: cleanValue(several, inside) }),
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
  const several = severalIn(error)
  const errors = several?.slice(0, limits.members).map((one) => cleanMember(one, inside))
  const isClean =
    message === error.message &&
    stack === error.stack &&
    cause === error.cause &&
    isSame(members, error) &&
    isSame(errors ?? [], several ?? [])
  if (isClean) return error
  // A real error with the prototype of the other: `instanceof`, `type` and inspectors work as before.
  const copy = Object.setPrototypeOf(new Error(message), Object.getPrototypeOf(error) as object) as Error
  for (const [name, value] of Object.entries({ ...members, name: error.name }))
    define(copy, name, { value, enumerable: true })
  define(copy, "message", { value: message })
  define(copy, "stack", { value: stack })
  if (cause !== undefined) define(copy, "cause", { value: cause })
  if (errors) define(copy, "errors", { value: errors })
  const inherited = cleanMembers(readMembers(error, inheritedGetters(error, copy)), inside, true)
  for (const [name, value] of Object.entries(inherited)) define(copy, name, { value })
  return copy
}

/** Getters of its classes that the copy would inherit: those that read private members fail there. */
function inheritedGetters(error: Error, copy: object): string[] {
  const found = new Set<string>()
  let above: object | null = Object.getPrototypeOf(error)
  for (let depth = 0; above && above !== Error.prototype && depth < limits.depth; depth += 1) {
    for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(above)))
      if (get && !Object.hasOwn(copy, name)) found.add(name)
    above = Object.getPrototypeOf(above)
  }
  return [...found]
}

/** An error as an error, anything else as data; `undefined` for one that we are inside of, or that is too far down. */
function cleanMember(member: unknown, inside: Cleaning): unknown {
  if (!(member instanceof Error)) return cleanValue(member, inside)
  const isLast = inside.above.includes(member) || inside.above.length >= limits.depth
  return isLast || inside.left.values-- <= 0 ? undefined : cleanError(member, inside)
}

function cleanCause(cause: unknown, inside: Cleaning): unknown {
  if (cause === undefined) return undefined
  if (cause instanceof Error) return cleanMember(cause, inside)
  if (typeof cause !== "object" || cause === null) return cleanValue(cause, inside)
  const { err, ...facts } = cause as Record<string, unknown>
  const clean = cleanMembers(Object.entries(facts), inside)
  const cleanErr = cleanMember(err, inside)
  const isClean = cleanErr === err && isSame(clean, facts)
  return isClean ? cause : { ...clean, ...(cleanErr !== undefined && { err: cleanErr }) }
}

function define(target: object, name: string, member: PropertyDescriptor): void {
  Object.defineProperty(target, name, { enumerable: false, configurable: true, writable: true, ...member })
}

function isSame(clean: object, given: object): boolean {
  const names = Object.keys(given)
  return (
    names.length === Object.keys(clean).length &&
    names.every((name) => (clean as never)[name] === (given as never)[name])
  )
}
