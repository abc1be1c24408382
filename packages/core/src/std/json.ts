/** JSON from outside, which may hold anything. */

/** An object with members of which nothing is known. */
export type Members = Readonly<Record<string, unknown>>

/** Says whether a value is an object, and no list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The object that a string of JSON holds; `undefined` for a string that holds none. */
export function parseMembers(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMembers(value) ? value : undefined
  } catch {
    return undefined
  }
}
