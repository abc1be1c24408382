/** Which database a command works on, and what its tables are called. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { UsageError } from "./command.js"

/** A URL has a scheme of at least two letters; one letter is a drive. */
export const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(text)

/**
 * The option `names` of the SQL adapter, from a JSON file; nothing without a path.
 *
 * @throws UsageError when the file cannot be read
 */
export function readNames(path: string | undefined, cwd: string): { readonly names?: unknown } {
  if (path === undefined) return {}
  try {
    return { names: JSON.parse(readFileSync(resolve(cwd, path), "utf8")) }
  } catch (error) {
    throw new UsageError(`Cannot read the names in "${path}": ${(error as Error).message}`)
  }
}
