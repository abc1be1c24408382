/** Secrets by the name of the member that holds them. */

/** Ends of names, in lower case without punctuation: of secrets of any type, and of those that are strings. */
const always =
  "secret secrets password passwd passphrase apikey privatekey verifier assertion cookie cookies credentials tokens".split(
    " ",
  )
const asText = "token state nonce salt signature authorization challenge otp pin".split(" ")
const errorCode = /^(?:[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|[A-Z\d]{5}|E[A-Z]{3,})$/
/** More than the longest of these ends, marks included. */
const endOfName = 60

/** Does a member of this name hold a secret? */
export function isSecretMember(name: string, member: unknown): boolean {
  if (member === undefined || member === null || typeof member === "boolean") return false
  const key = name
    .slice(-endOfName)
    .toLowerCase()
    .replace(/[^a-z\d]/g, "")
  if (always.some((end) => key.endsWith(end))) return true
  if (typeof member !== "string") return false
  // A URL under such a name is a configured endpoint; its parameters are redacted by shape.
  if (asText.some((end) => key.endsWith(end))) return !member.startsWith("https://") && !member.startsWith("http://")
  // `code` is an authorization code or the code of an error: only the latter has these forms.
  return key === "code" && !(member.length <= endOfName && errorCode.test(member))
}

/** Bounds of a search: levels below a value, members that are looked at, and secrets. */
const bounds = { depth: 8, members: 10_000, secrets: 1_000 } as const

/** A value that is to be searched. */
interface Place {
  readonly value: unknown
  readonly depth: number
  /** It is below the name of a secret, so that each string in it is one. */
  readonly isSecret: boolean
}

/** Strings below the names of secrets, at any level within the bounds: those further up are found first. No getter is called. */
export function secretsIn(given: unknown): readonly string[] {
  const found = new Set<string>()
  const seen = { inside: new Set<object>(), outside: new Set<object>() }
  const places: Place[] = [{ value: given, depth: 0, isSecret: false }]
  let left: number = bounds.members
  // The list grows while it is read.
  for (const { value, depth, isSecret } of places) {
    if (isSecret && typeof value === "string") found.add(value)
    if (found.size === bounds.secrets) break
    if (typeof value !== "object" || value === null || depth > bounds.depth || left <= 0) continue
    const before = isSecret ? seen.inside : seen.outside
    if (before.has(value)) continue
    before.add(value)
    for (const [name, member] of membersOf(value, left)) {
      left -= 1
      places.push({ value: member, depth: depth + 1, isSecret: isSecret || isSecretMember(name, member) })
    }
  }
  return [...found]
}

/** The first members of a value. A getter counts as `undefined`, and so does what cannot be read. */
function membersOf(value: object, limit: number): readonly (readonly [string, unknown])[] {
  try {
    return entriesOf(value, limit)
  } catch {
    return []
  }
}

function entriesOf(value: object, limit: number): readonly (readonly [string, unknown])[] {
  if (ArrayBuffer.isView(value)) return []
  if (value instanceof Map) {
    return firstOf(value.entries(), limit).map(([key, member]) => [typeof key === "string" ? key : "", member])
  }
  if (value instanceof Set) return firstOf(value, limit).map((member) => ["", member])
  const length = Array.isArray(value) ? Math.min(value.length, limit) : undefined
  const names =
    length === undefined ? Object.keys(value).slice(0, limit) : Array.from({ length }, (_, at) => String(at))
  return names.map((name) => [name, Object.getOwnPropertyDescriptor(value, name)?.value])
}

/** The first members of something that can be gone through. */
export function firstOf<T>(items: Iterable<T>, limit: number): T[] {
  const first: T[] = []
  for (const item of items) {
    if (first.length === limit) break
    first.push(item)
  }
  return first
}
