/** Endpoints of a provider, written as text or as an object, become one shape with their parameters on the query. */
import type { AuthorizationEndpoint } from "../types/provider.js"
import { isPlain, membersOf } from "./members.js"

/** An endpoint with its parameters on the query. */
export interface ReadEndpoint {
  /** Was anything written? */
  readonly isGiven: boolean
  readonly url: URL | undefined
  /** What was written as address when it is none. */
  readonly unfit: unknown
  /** Text of the parameters. */
  readonly params: Readonly<Record<string, string>>
  /** The other members. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** Reads an endpoint as it was written. */
export function readEndpoint(given: unknown): ReadEndpoint {
  const { url: address, params, ...rest } = isAddress(given) ? { url: given } : membersOf(given)
  const text = paramsAsText(params)
  const url = address === undefined || address === null ? undefined : parse(address)
  for (const [name, value] of Object.entries(text)) url?.searchParams.set(name, value)
  const unfit = url ? undefined : (address ?? undefined)
  return { isGiven: given !== undefined && given !== null, url, unfit, params: text, rest }
}

function isAddress(given: unknown): given is string | URL {
  return typeof given === "string" || given instanceof URL
}

function parse(address: unknown): URL | undefined {
  const text = String(address)
  return isAddress(address) && URL.canParse(text) ? new URL(text) : undefined
}

/** Parameters as text: `claims` and other objects as JSON; `null` and `undefined` are left out. */
function paramsAsText(params: unknown): Record<string, string> {
  const entries = params instanceof URLSearchParams ? [...params] : Object.entries(membersOf(params))
  return Object.fromEntries(
    entries
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
  )
}

/** The scope that is asked for when the provider names none. */
const defaultScope = "openid profile email"

/** The authorization endpoint with its scope, and the parameters that wait for a discovered one. */
export function readAuthorization(
  given: unknown,
  type: "oauth" | "oidc",
): ReadEndpoint & { readonly responseMode: string | undefined } {
  const endpoint = readEndpoint(given)
  const { url } = endpoint
  // A plain oauth provider whose endpoint is discovered may know nothing of these scopes.
  const needsScope = (endpoint.isGiven || type === "oidc") && !namesScope(given, endpoint)
  if (needsScope) url?.searchParams.set("scope", defaultScope)
  const params = needsScope ? { ...endpoint.params, scope: defaultScope } : endpoint.params
  return { ...endpoint, params, responseMode: url?.searchParams.get("response_mode") ?? params.response_mode }
}

/** `scope: null` says that none is wanted. */
function namesScope(given: unknown, { url, params }: ReadEndpoint): boolean {
  if (url?.searchParams.has("scope") || Object.hasOwn(params, "scope")) return true
  const written = isPlain(given) ? (given as AuthorizationEndpoint).params : undefined
  return isPlain(written) && written.scope === null
}

/** Parameters of a caller belong to the address of the provider: an object without address keeps the one below it. */
export function keepAddresses(base: object, over: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of ["authorization", "token", "userinfo"]) {
    const below = (base as Record<string, unknown>)[name]
    const above = (over as Record<string, unknown>)[name]
    if (isAddress(below) && isPlain(above) && above.url === undefined) kept[name] = { url: below }
  }
  return kept
}
