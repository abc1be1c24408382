/** Turns whatever was thrown into an error. */

/**
 * The thrown value as an error whose name, message, stack and cause can be read. A value that is no error is kept as its
 * cause, not in its text.
 */
export function asError(thrown: unknown): Error {
  if (!isError(thrown))
    return new Error(`A value that is not an error was thrown: ${kindOf(thrown)}.`, { cause: thrown })
  return isReadable(thrown)
    ? thrown
    : new Error("An error whose name, message, stack or cause cannot be read was thrown.")
}

/** Can be read what every error has, and the further members? Getters and proxies of an application may throw. */
export function isReadable(error: Error, further: readonly string[] = []): boolean {
  try {
    for (const member of ["stack", "cause", ...further]) void error[member as keyof Error]
    return typeof error.name === "string" && typeof error.message === "string"
  } catch {
    return false
  }
}

/** As {@link asError}, for what a callback of the application threw on purpose: a thrown string becomes the message. */
export function asThrownError(thrown: unknown): Error {
  return typeof thrown === "string" ? new Error(thrown) : asError(thrown)
}

function isError(value: unknown): value is Error {
  try {
    // Errors of another realm (a test runner, a worker) fail `instanceof`.
    return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]"
  } catch {
    // An object whose members cannot be read.
    return false
  }
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value
}
