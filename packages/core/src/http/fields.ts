/** Named values of a request, of its query or its body, in a record that no name can do harm to. */
import { UnreadableRequest } from "../errors.js"

/** Fields a form may have. */
const fieldLimit = 1000

/** Fields of a form, without prototype. */
export type Form = Record<string, unknown>

/** A record without prototype. */
export function emptyForm(): Form {
  return Object.create(null) as Form
}

/** Where a record keeps the names that stood there more than once: no member that anybody lists or copies. */
const repeated = Symbol("repeated")

/** The names of which only the last value was kept. */
export function repeatedIn(fields: object): readonly string[] {
  return (fields as { readonly [repeated]?: readonly string[] })[repeated] ?? []
}

/** Puts pairs into a record without prototype; of equal names the last counts. `__proto__` is harmless here but not where it may be copied to. */
export function fieldsOf<T>(pairs: Iterable<readonly [string, T]>, tooMany: 400 | 413 = 413): Record<string, T> {
  const fields = Object.create(null) as Record<string, T>
  const again: string[] = []
  let count = 0
  for (const [name, value] of pairs) {
    if (++count > fieldLimit) throw refusal(tooMany, `There are more than ${fieldLimit} fields.`)
    if (name === "__proto__") continue
    if (name in fields) again.push(name)
    fields[name] = value
  }
  if (again.length > 0) Object.defineProperty(fields, repeated, { value: again })
  return fields
}

/** Levels of fields. Writing a value out again as JSON takes a call for each, so that thousands of them would be a fault of ours. */
export const deepest = 256

/** Characters that fields may have as JSON, as many as a body; and what may stay unwritten, as if it were written. */
const largest = { written: 256 * 1024, unwritten: 1024 * 1024 } as const

/** Says that what stands above it among the pending values lies inside of an object, and that the walk leaves it here. */
class End {
  readonly of: object
  constructor(of: object) {
    this.of = of
  }
}

/**
 * Walks values as JSON would write them: what several members share counts for each of them, because a few bytes of shared
 * objects can be an endless text. `isWritten` says that they will be written as JSON; where they may stay unwritten, an
 * application may pass objects that lead back to themselves, and those of classes.
 * @throws UnreadableRequest when they are nested too deeply, too large, or nothing that JSON can write.
 */
export function assertBounded(fields: unknown, isWritten: boolean): void {
  const path = new Set<object>()
  const pending: unknown[] = [fields]
  let left: number = isWritten ? largest.written : largest.unwritten
  while (pending.length > 0) {
    const next = pending.pop()
    if (next instanceof End) {
      path.delete(next.of)
      continue
    }
    const value = isWritten ? asWritten(next) : next
    // Nothing counts for more than it takes when it is written, so that no body that may come is refused here.
    left -= 1
    if (typeof value === "string") left -= value.length
    // Four characters for a byte, at most, with the comma.
    else if (ArrayBuffer.isView(value)) {
      left -= isWritten ? 4 * value.byteLength : 0
      // JSON writes each of its members, which are all BigInts where the first one is.
      pending.push((value as { readonly 0?: unknown })[0])
    } else if (typeof value === "bigint" && isWritten)
      throw refusal(400, "The fields contain a BigInt, which JSON cannot write.")
    else if (typeof value === "object" && value !== null && (isWritten || isOfJson(value))) {
      if (path.has(value) && isWritten) throw refusal(400, "The fields contain an object that leads back to itself.")
      if (path.has(value)) continue
      if (path.size > deepest) throw refusal(400, `The fields are nested more than ${deepest} levels deep.`)
      const names = Object.keys(value)
      // JSON writes `null` for each member that a list lacks, however long it says that it is.
      if (Array.isArray(value)) left -= value.length + (isWritten ? 4 * Math.max(0, value.length - names.length) : 0)
      else left -= names.reduce((sum, { length }) => sum + length + 3, names.length)
      if (left >= 0) {
        path.add(value)
        pending.push(new End(value))
        for (const member of Object.values(value)) pending.push(member)
      }
    }
    if (left < 0) throw refusal(413, "The fields are too large.")
  }
}

/**
 * What JSON writes for a value: dates and many objects of libraries say that themselves. A function that came with the values is not
 * called: frameworks make members of what a client sends that call the application's own actions.
 */
function asWritten(value: unknown): unknown {
  const { toJSON } = Object(value) as { readonly toJSON?: unknown }
  if (ArrayBuffer.isView(value) || typeof toJSON !== "function") return value
  if (Object.hasOwn(value as object, "toJSON")) throw unwritable()
  let written: unknown
  try {
    written = toJSON.call(value, "")
  } catch {
    throw unwritable()
  }
  // Nobody would wait for it, and a Promise is written without what it brings.
  if (written instanceof Promise) written.catch(() => {})
  return written
}

const unwritable = (): UnreadableRequest => refusal(400, "The fields contain an object that JSON cannot write.")

function isOfJson(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // Those of another realm have an `Object.prototype` of their own.
  return prototype === null || Object.getPrototypeOf(prototype) === null || Array.isArray(value)
}

/** The objects and lists among values. */
export function objectsIn(values: readonly unknown[]): object[] {
  return values.filter((value) => typeof value === "object" && value !== null)
}

/** An error as the refusal of a request that cannot be read. */
export function asUnreadable(error: unknown): UnreadableRequest {
  return error instanceof UnreadableRequest ? error : new UnreadableRequest(error as Error)
}

/** The refusal of a request that cannot be read: 400 malformed, 413 too large, 415 of a type that is not read. */
export function refusal(status: 400 | 413 | 415, message: string): UnreadableRequest {
  const error = new UnreadableRequest(message)
  error.status = status
  return error
}
