/** The error for rows that are there already: the same on every database, and without the values. */

/** A row with the same unique values is there already: another request was faster, or the value is taken. */
export class DuplicateError extends Error {
  override name = "DuplicateError"
  /** What the database calls it, where it said so. */
  readonly code: string

  constructor(code: string) {
    super("A row with the same unique values exists already.")
    this.code = code
  }
}

/** What a driver calls its error; empty where it does not say. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : ""
}

/** The error of a driver, without the values that it may quote. */
export function errorWithoutValues(error: unknown, isDuplicate: (error: unknown) => boolean): unknown {
  if (error instanceof DuplicateError || !isDuplicate(error)) return error
  return new DuplicateError(codeOf(error) || "duplicate")
}
