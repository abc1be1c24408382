/** What kind of value something is, for messages that must not show it. */

/** As one says it: "a string", "an object", "nothing". */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing"
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}
