/** Where in the application the handler was mounted, and which path the service sees. */
import type { Request as ExpressRequest } from "express"

/** The path of a request as Express has routed it. */
export type Routed = Pick<ExpressRequest, "baseUrl" | "url" | "params">

/** The path of a request, cut where the handler was mounted. */
export interface Place {
  /** Without trailing slash; empty when the handler stands at the root. */
  readonly mount: string
  /** What follows the mount: empty, or begins with a slash. */
  readonly rest: string
  /** With its question mark, or empty. */
  readonly search: string
}

/**
 * Cuts the path. A wildcard of the mount (`/auth/*`, `/auth/*splat`, `/auth/{*any}`) is not part of it, whatever
 * its name; parameters before it (`/:tenant/auth/*splat`) are.
 */
export function placeOf({ baseUrl, url, params }: Routed): Place {
  const { path, search } = splitTarget(url)
  const base = trimSlash(baseUrl)
  const whole = base !== "" && path === "/" ? base : `${base}${path}`
  const mount = cutWildcard(trimSlash(whole), wildcardsOf(params)) ?? base
  return { mount, rest: whole.slice(mount.length), search }
}

/**
 * The path the service sees. It is the path of the request, unless a proxy takes off a prefix that `basePath` has:
 * mounted at `/auth` with the base path `/app/auth`, `/auth/signin` stands for `/app/auth/signin`.
 */
export function servedPath({ mount, rest }: Place, basePath: string): string {
  const isStripped = mount !== "" && mount !== basePath && basePath.endsWith(mount)
  return isStripped ? `${basePath}${rest}` : `${mount}${rest}`
}

/**
 * Can no action arrive where the handler is mounted? With parameters in its path, a mount is what a visitor writes, and
 * says nothing about the application.
 */
export function isMisplaced(
  { mount }: Pick<Place, "mount">,
  { basePath, params }: { readonly basePath: string; readonly params: Routed["params"] },
): boolean {
  if (mount === "" || Object.keys(params).length > 0) return false
  return !`${basePath}/`.startsWith(`${mount}/`) && !basePath.endsWith(mount)
}

const baseShape = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*\/*$/
/** A URL parser walks through them, encoded as well. */
const hasDots = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** Can a mount be a base path? With parameters in its path a visitor writes it, and no mistake of theirs is one of the configuration. */
export function isBasePath(mount: string): boolean {
  return baseShape.test(mount) && !hasDots.test(mount)
}

/** Splits a request target into path and query; of the absolute form (RFC 9112 §3.2.2) only the path counts. */
export function splitTarget(target: string): { path: string; search: string } {
  const local = target.startsWith("/") ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "")
  const at = local.indexOf("?")
  return at < 0 ? { path: local, search: "" } : { path: local.slice(0, at), search: local.slice(at) }
}

/** Express 4 numbers its wildcards, Express 5 gives a list of segments. */
function wildcardsOf(params: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(params).flatMap(([name, value]) => {
    if (Array.isArray(value)) return [value.join("/")]
    return /^\d+$/.test(name) && typeof value === "string" ? [value] : []
  })
}

/** The path before the wildcard, when the path ends with what a wildcard matched. Parameters come decoded, the path does not. */
function cutWildcard(path: string, wildcards: readonly string[]): string | undefined {
  for (const wildcard of wildcards) {
    const before = beforeEnd(path, trimSlash(wildcard))
    if (before !== undefined) return before
  }
  return undefined
}

/** Each part is decoded once: a path may have thousands of them. */
function beforeEnd(path: string, end: string): string | undefined {
  const parts = path.split("/")
  const decoded: string[] = []
  let [at, length] = [path.length, -1]
  for (let part = parts.pop(); part !== undefined && parts.length > 0; part = parts.pop()) {
    const text = decode(part)
    decoded.push(text)
    at -= part.length + 1
    length += text.length + 1
    if (length >= end.length) return decoded.reverse().join("/") === end ? path.slice(0, at) : undefined
  }
  return undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function trimSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path
}
