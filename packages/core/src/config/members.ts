/** Reading what a developer wrote: own members only, `undefined` as absent, and merging that writes to nothing. */
import type { Members } from "../std/json.js"

/** An object that is data: written as a literal, or without a prototype. */
export function isPlain(value: unknown): value is Record<PropertyKey, unknown> {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // A literal of another realm has a foreign Object.prototype, which has no prototype itself.
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

/** Is an option left open? */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null
}

/** The own members that are not `undefined`, without a prototype: nothing inherited is an option. Anything but an object has none. */
export function membersOf(value: unknown): Members {
  const members: Record<string, unknown> = Object.create(null)
  if (typeof value !== "object" || value === null) return members
  for (const key of Object.keys(value)) {
    const member: unknown = (value as Record<string, unknown>)[key]
    // `__proto__` as an own key comes from parsed JSON and would change the prototype.
    if (key !== "__proto__" && member !== undefined) members[key] = member
  }
  return members
}

/**
 * Lays `over` onto `base`, plain objects member by member. Everything else (arrays, class instances, functions) replaces,
 * `null` too; `undefined` is absent. The result shares no plain object and no array with what was given.
 */
export function merge(base: object, over: object | undefined): Record<PropertyKey, unknown> {
  const result = copyOf(base, [])
  if (over) layOnto(result, over, [over])
  return result
}

/** `above` are the objects we are inside of: one of them again is a cycle, and is handed through. */
function copyOf(value: object, above: readonly object[]): Record<PropertyKey, unknown> {
  const copy: Record<PropertyKey, unknown> = {}
  layOnto(copy, value, [...above, value])
  return copy
}

function layOnto(target: Record<PropertyKey, unknown>, over: object, above: readonly object[]): void {
  for (const key of Reflect.ownKeys(over)) {
    if (key === "__proto__" || !Object.prototype.propertyIsEnumerable.call(over, key)) continue
    const member = (over as Record<PropertyKey, unknown>)[key]
    if (member === undefined) continue
    const present = Object.hasOwn(target, key) ? target[key] : undefined
    if (isPlain(member) && isPlain(present) && !above.includes(member)) layOnto(present, member, [...above, member])
    else target[key] = detached(member, above)
  }
}

function detached(value: unknown, above: readonly object[]): unknown {
  if (Array.isArray(value)) {
    return above.includes(value) ? value : value.map((item: unknown) => detached(item, [...above, value]))
  }
  return isPlain(value) && !above.includes(value) ? copyOf(value, above) : value
}
