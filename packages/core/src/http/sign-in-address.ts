/** Where the guards of integrations send a visitor who is not signed in. */
import { InvalidConfiguration } from "../errors.js"
import { urlOf, withParams } from "../std/url.js"

/** A guard that redirects, and the request it stands before. */
export interface GuardedRequest {
  /** The guard, as whoever uses it calls it. */
  readonly guard: string
  /** Address of the page to sign in on. */
  readonly redirectTo: string
  /** Method of the request, in capitals: only what was asked for with `GET` or `HEAD` is returned to. */
  readonly method: string
  /** Path and query, as sent. */
  readonly path: string
}

/** Longer addresses are refused as a `callbackUrl` anyway. */
const longestReturn = 2048

/** Stands for the origin of an application. */
const here = "http://application.invalid"

/**
 * The address of the page to sign in on, with the address to return to as `callbackUrl`. Throws
 * `InvalidConfiguration` when that page was asked for: whoever follows the redirect would be sent there without end.
 */
export function signInAddress({ guard, redirectTo, method, path }: GuardedRequest): string {
  const isPage = pagePath(path) === pagePath(redirectTo, path)
  if (isPage && isAsBrowsersWrite(path))
    throw new InvalidConfiguration(
      `${guard}: expected routes other than ${JSON.stringify(redirectTo)}, to which it redirects, received a request for that page, which nobody could ever see. Leave the guard out there, or name another page with redirectTo.`,
    )
  const callbackUrl = isPage ? undefined : returnAddress(method, path)
  return withParams(inAscii(redirectTo), { error: "SessionRequired", callbackUrl })
}

/** Browsers resolve `..` and the like before they send a path. Whoever sends `/inside/../sign-in` has chosen that, and is sent to the page itself. */
function isAsBrowsersWrite(path: string): boolean {
  return path.replace(/[?#].*$/s, "").replace(/\/$/, "") === pagePath(path)
}

/** As a `Location` holds it (RFC 9110 §10.2.2): frameworks refuse other letters, or encode the whole address once more. */
function inAscii(address: string): string {
  return address.replaceAll(/[^\0-\x7f]/gu, (letter) => encodeURIComponent(/\p{Cs}/u.test(letter) ? "\uFFFD" : letter))
}

/**
 * The path of a page, by which two addresses are the same page: as browsers write it, without query, fragment and a slash
 * at the end. An address of another origin stays as it is.
 */
export function pagePath(address: string, from = "/"): string {
  const url = urlOf(address, here + from)
  return (url?.origin === here ? url.pathname : address).replace(/\/$/, "")
}

/**
 * Only what was asked for with GET can be returned to, and only a path: `//evil.test` and an address in absolute form
 * are addresses of other hosts to a page that sends people there. A backslash may be read as a slash.
 */
function returnAddress(method: string, path: string): string | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined
  return /^\/(?!\/)[^\\\s]*$/.test(path) && path.length <= longestReturn ? path : undefined
}
