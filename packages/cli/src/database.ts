/** Which database a command works on, and what its tables are called. */
import { basename, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Failure, UsageError } from "./command.js"
import { codeOf, meaningOf } from "./system-world.js"
import { messageOf } from "./thrown.js"
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

/** The path of a SQLite file; nothing for a server, and for what the SQL adapter refuses. */
export function fileOf(target: string, cwd: string): string | undefined {
  if (!isUrl(target)) return resolve(cwd, target)
  const [, path] = /^(?:file|sqlite|libsql):([^?#]+)/i.exec(target) ?? []
  if (path === undefined || /^(?:sqlite|libsql)::memory:$/i.test(target)) return undefined
  try {
    return path.startsWith("//") ? fileURLToPath(`file:${path}`) : resolve(cwd, decodeURI(path))
  } catch {
    return undefined
  }
}

/** Ports that a URL may leave out, by scheme; the schemes of one server count as the same. */
const servers: readonly (readonly [scheme: RegExp, port: string])[] = [
  [/^postgres(?:ql)?:$/, "5432"],
  [/^(?:mysql|mariadb):$/, "3306"],
]

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What tells one database from another, however it is written: the file without links, or the server and its database. */
export function identityOf(target: string, { cwd, files }: Pick<World, "cwd" | "files">): string | undefined {
  const path = fileOf(target, cwd)
  if (path !== undefined) {
    const [found, folder] = [files.lookAt(path), files.lookAt(dirname(path))]
    if ("real" in found) return found.real
    return "real" in folder ? join(folder.real, basename(path)) : path
  }
  if (!URL.canParse(target)) return undefined
  const { protocol, hostname, port, pathname, searchParams } = new URL(target)
  const [scheme, usual] = servers.find(([known]) => known.test(protocol)) ?? []
  // The drivers take a parameter before the host that stands at its usual place.
  const named = (searchParams.get("host") || decoded(hostname)).toLowerCase().replace(/\.$/, "")
  const host = /^(?:|localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(named) ? "localhost" : named
  return scheme && `${usual}//${host}:${searchParams.get("port") || port || usual}${decoded(pathname)}`
}

/**
 * Where a database is, without name, password and query of its URL, also where a sign in the password makes that none, or
 * lets the host end too early.
 */
export function placeOf(target: string): string {
  if (!isUrl(target)) return isPath.test(target) ? target : target.replace(/:.*@/s, ":…@")
  if (/^file:/i.test(target)) return target.replace(/[?#].*$/, "")
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (!url || url.pathname.includes("@")) return target.replace(/:.*@/, "://").replace(/[?#].*$/, "")
  const { protocol, host, pathname } = url
  const isWhole = url.username !== "" || url.password !== "" || !`${url.search}${url.hash}`.includes("@")
  return isWhole ? `${protocol}//${host}${pathname}` : `${protocol}//(not shown, because of an @ behind the host)`
}

/** Says in a sentence why a database cannot be reached; what the database itself said stays as it is. */
export function unreachable(target: string, error: unknown): unknown {
  if (codeOf(error) === undefined || meaningOf(error) === messageOf(error)) return error
  return new Failure(`Cannot reach the database at ${placeOf(target)}: ${meaningOf(error)}.`, { cause: error })
}
