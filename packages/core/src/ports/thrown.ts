/** Anything can be thrown; here it becomes an error. */

/** The thrown value as an error. A value that is no error is kept as its cause, not in its text. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  // Errors of another realm (a test runner, a worker) fail `instanceof`.
  if (Object.prototype.toString.call(thrown) === "[object Error]") return thrown as Error
  return new Error(`Something that is no error was thrown: ${kindOf(thrown)}.`, { cause: thrown })
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value
}
