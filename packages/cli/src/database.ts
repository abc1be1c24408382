/** Which database a command works on, and what its tables are called. */
import { resolve } from "node:path"
import { Failure, UsageError } from "./command.js"
import { codeOf, meaningOf } from "./system-world.js"
import type { World } from "./world.js"

/** A URL has a scheme of at least two letters; one letter is a drive. */
export const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(text)

/** How libpq, and others, write what a URL says: `host=db.test dbname=app`, `Server=db.test;Database=app`. */
const pairs = /(?:^|[\s;"'])(host|hostaddr|port|dbname|user|password|service|server|data source|database|uid|pwd)\s*=/i

/** What begins like this names a file, whatever else it holds. */
const isPath = /^(?:\.{0,2}[\\/]|[a-z]:[\\/])/i

/** @throws UsageError for what would be taken for the name of a file, and be shown with its password */
export function refuseUnreadable(target: string): void {
  if (isUrl(target) || isPath.test(target)) return
  const [, keyword] = pairs.exec(target) ?? []
  if (keyword !== undefined) {
    throw new UsageError(
      `Which database? Expected a URL or the name of a SQLite file, and received keywords with values ("${keyword}=..."). Write them as a URL, such as postgresql://USER:PASSWORD@HOST:5432/DATABASE, with special characters of the password percent-encoded; for a file of that name write ./ in front.`,
    )
  }
  if (!target.includes("://")) return
  throw new UsageError("The URL of the database has a quote, a blank or something else in front of it. Take that away.")
}

/**
 * The option `names` of the SQL adapter, from a JSON file; nothing without a path.
 *
 * @throws UsageError when there is no such file, or it is not JSON
 */
export function readNames(
  path: string | undefined,
  { cwd, files }: Pick<World, "cwd" | "files">,
): { readonly names?: unknown } {
  if (path === undefined) return {}
  const content = files.read(resolve(cwd, path))
  if (content === undefined) throw new UsageError(`There is no file "${path}", which --names names.`)
  try {
    return { names: JSON.parse(content) }
  } catch (error) {
    throw new UsageError(`The file "${path}" is not JSON: ${(error as Error).message}`)
  }
}

/** What the SQL adapter opens. A relative path counts from the folder that the command runs in. */
export function sourceOf(target: string, cwd: string): { readonly filename: string } | { readonly url: string } {
  const [, relative] = /^file:(?!\/)(.+)$/i.exec(target) ?? []
  if (relative !== undefined) return { url: `file:${resolve(cwd, relative)}` }
  return isUrl(target) ? { url: target } : { filename: resolve(cwd, target) }
}

/**
 * Where a database is, without name, password and query of its URL, also where a sign in the password makes that none, or
 * lets the host end too early.
 */
export function placeOf(target: string): string {
  if (!isUrl(target)) return target
  if (/^file:/i.test(target)) return target.replace(/[?#].*$/, "")
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (!url || url.pathname.includes("@")) return target.replace(/:.*@/, "://").replace(/[?#].*$/, "")
  const { protocol, host, pathname } = url
  const isWhole = url.username !== "" || url.password !== "" || !`${url.search}${url.hash}`.includes("@")
  return isWhole ? `${protocol}//${host}${pathname}` : `${protocol}//(not shown, because of an @ behind the host)`
}

/** Says in a sentence why a database cannot be reached; what the database itself said stays as it is. */
export function unreachable(target: string, error: unknown): unknown {
  if (codeOf(error) === undefined || meaningOf(error) === (error as Error).message) return error
  return new Failure(`Cannot reach the database at ${placeOf(target)}: ${meaningOf(error)}.`, { cause: error })
}
