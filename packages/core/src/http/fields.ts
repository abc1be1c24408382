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

/**
 * Looks at lists and plain objects, as JSON has them; each once, because an application may pass an object that leads back
 * to itself. @throws UnreadableRequest when they are nested too deeply.
 */
export function assertShallow(fields: unknown): void {
  const seen = new Set<object>()
  let level = objectsIn([fields])
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw refusal(400, `The fields are nested more than ${deepest} levels deep.`)
    level = level.flatMap((one) => {
      if (seen.has(one) || !isOfJson(one)) return []
      seen.add(one)
      return objectsIn(Object.values(one))
    })
  }
}

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
