/** Addresses a deployment is known by: AUTH_URL, hosts named in headers, base paths. Read strictly. */
import { hasControlCharacters } from "../std/text.js"

/** An address of the application, in two parts. */
export interface Site {
  readonly origin: string
  /** Starts with a slash, ends without one; empty for the root. */
  readonly path: string
}

/** What AUTH_URL must be. */
export const siteExpected = {
  expected: "an absolute http(s) address without user information, such as https://app.example.com",
  remedy: "Correct the environment variable.",
} as const

/** Reads an absolute http(s) address without user information; its query and fragment mean nothing. */
export function parseSite(text: string): Site | undefined {
  const url = parseHttp(text)
  return url && { origin: url.origin, path: trimSlashes(url.pathname) }
}

/** An absolute http(s) address without user information, control characters and backslashes. */
export function parseHttp(text: unknown): URL | undefined {
  if (text instanceof URL) return isFit(text) ? text : undefined
  // A URL parser drops tabs and line breaks and turns backslashes; an address that needs that is not meant well.
  if (typeof text !== "string" || /[ \\]/.test(text) || hasControlCharacters(text) || !URL.canParse(text))
    return undefined
  const url = new URL(text)
  return isFit(url) ? url : undefined
}

function isFit(url: URL): boolean {
  return (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === ""
}

/** Puts a slash in front and takes those at the end; the root is empty. */
export function trimSlashes(path: string): string {
  const end = path.replace(/\/+$/, "")
  return end === "" || end.startsWith("/") ? end : `/${end}`
}

const hostShape = /^(?:\[[\da-f:.]+\]|[a-z\d_-]+(?:\.[a-z\d_-]+)*)(?::\d{1,5})?$/i

/** One host with an optional port, as an origin; anything that a URL parser would read differently is refused. */
export function originOfHost(protocol: string, host: string): string | undefined {
  if (!hostShape.test(host) || !URL.canParse(`${protocol}://${host}`)) return undefined
  const url = new URL(`${protocol}://${host}`)
  // Numbers such as 0x7f000001 would become another host.
  return url.hostname === host.toLowerCase().replace(/:\d{1,5}$/, "") ? url.origin : undefined
}
