/** Paths below the base path: text to action and provider, and back. */
import { pathSegment } from "../std/url.js"
import type { AuthAction } from "../types/config.js"

/** Which action a path names. */
export interface Route {
  readonly action: AuthAction
  readonly provider: string | undefined
}

/** The nine actions. */
export const actions: ReadonlySet<AuthAction> = new Set<AuthAction>([
  "callback",
  "csrf",
  "error",
  "providers",
  "session",
  "signin",
  "signout",
  "verify-request",
  "webauthn-options",
])

const withProvider: ReadonlySet<AuthAction> = new Set<AuthAction>(["callback", "signin", "webauthn-options"])
const postable: ReadonlySet<AuthAction> = new Set<AuthAction>(["callback", "session", "signin", "signout"])

/** Says whether a text names an action. */
export function isAuthAction(text: string): text is AuthAction {
  return (actions as ReadonlySet<string>).has(text)
}

/** The methods that an action is served with. */
export function methodsOf(action: AuthAction): readonly string[] {
  return postable.has(action) ? ["GET", "HEAD", "POST"] : ["GET", "HEAD"]
}

/**
 * Reads a path. The base path is compared as text, up to a boundary; nothing is decoded, so that each route has one
 * spelling. Slashes at the end say nothing.
 */
export function parseRoute(pathname: string, basePath: string): Route | undefined {
  const [action = "", provider, ...rest] = segmentsBelow(pathname, basePath)
  if (!isAuthAction(action) || rest.length > 0) return undefined
  if (provider === undefined) return { action, provider: undefined }
  if (!provider || !withProvider.has(action)) return undefined
  return { action, provider }
}

/** Clients of Auth.js that are to sign in without naming a provider post to `signin/undefined`: that means none. */
export function withoutUndefined(route: Route | undefined, method: string): Route | undefined {
  if (method !== "POST" || route?.action !== "signin" || route.provider !== "undefined") return route
  return { action: route.action, provider: undefined }
}

/** Says whether a path is ours to answer, if only with 404: the first part below the base path names an action. */
export function ownsPath(pathname: string, basePath: string): boolean {
  return isAuthAction(segmentsBelow(pathname, basePath)[0] ?? "")
}

/** The path of an action. */
export function pathOf(basePath: string, action: AuthAction, provider?: string): string {
  return `${basePath}/${action}${provider === undefined ? "" : `/${pathSegment(provider)}`}`
}

/** More parts than any route has are not told apart. */
const mostSegments = 4

function segmentsBelow(pathname: string, basePath: string): readonly string[] {
  if (!pathname.startsWith(basePath) || pathname[basePath.length] !== "/") return []
  const below = pathname.slice(basePath.length + 1)
  let end = below.length
  while (below[end - 1] === "/") end--
  return below.slice(0, end).split("/", mostSegments)
}
