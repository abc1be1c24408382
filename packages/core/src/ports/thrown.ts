/** Anything can be thrown; here it becomes an error. */

/** The thrown value as an error. A value that is no error is kept as its cause, not in its text. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  // Errors of another realm (a test runner, a worker) fail `instanceof`.
  if (isForeignError(thrown)) return thrown
  return new Error(`Something that is no error was thrown: ${kindOf(thrown)}.`, { cause: thrown })
}

/** The same for what application code threw on purpose: a text is its message. */
export function asToldError(thrown: unknown): Error {
  return typeof thrown === "string" ? new Error(thrown) : asError(thrown)
}

function isForeignError(value: unknown): value is Error {
  try {
    return Object.prototype.toString.call(value) === "[object Error]"
  } catch {
    // An object whose members cannot be read.
    return false
  }
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value
}
