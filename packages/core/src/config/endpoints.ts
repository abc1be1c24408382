/** The addresses of a provider: places filled, written endpoints brought into one shape, the rest discovered, each checked. */
import { InvalidEndpoints } from "../errors.js"
import { isLoopbackHost, isUrl } from "../std/url.js"
import { variableName } from "../std/variable-name.js"
import { parseHttp } from "./addresses.js"
import { isAbsent, isPlain, membersOf } from "./members.js"
import type { Draft } from "./provider-checks.js"
import { mistakeText } from "./report.js"
import type { ResolvedOAuthProvider } from "./settings.js"

type Merged = Draft["merged"]
type Values = Readonly<Record<string, string | undefined>>

const place = /\{(issuer|clientId)\}/g

/** The provider with its places filled. What cannot be filled is left out, as if it had not been written. */
export function fillPlaces(merged: Merged): Merged {
  const clientId = textOf(merged.clientId)
  const issuer = fill(merged.issuer, { clientId })
  const values = { clientId, issuer: textOf(issuer)?.replace(/\/+$/, "") }
  return Object.assign(Object.create(null), merged, {
    // Kept as it is where the client id is missing: that is the mistake to report then.
    issuer: issuer ?? merged.issuer,
    wellKnown: fill(merged.wellKnown, values),
    jwks_endpoint: fill(merged.jwks_endpoint, values),
    authorization: fillEndpoint(merged.authorization, values),
    token: fillEndpoint(merged.token, values),
    userinfo: fillEndpoint(merged.userinfo, values),
  })
}

function fillEndpoint(given: unknown, values: Values): unknown {
  if (!isPlain(given)) return fill(given, values)
  const { url, params } = given as { url?: unknown; params?: unknown }
  const filled = isPlain(params) && Object.entries(params).map(([name, value]) => [name, fill(value, values)])
  return {
    ...given,
    ...(url !== undefined && { url: fill(url, values) }),
    ...(filled && { params: Object.fromEntries(filled) }),
  }
}

function fill(value: unknown, values: Values): unknown {
  if (typeof value !== "string") return value
  const names = [...value.matchAll(place)].map(([, name = ""]) => name)
  if (names.some((name) => values[name] === undefined)) return undefined
  return value.replace(place, (_, name: string) => values[name] ?? "")
}

/** An endpoint with its parameters on the query. */
export interface ReadEndpoint {
  /** Was anything written? */
  readonly isGiven: boolean
  readonly url: URL | undefined
  /** What was written as address when it is none. */
  readonly invalid: unknown
  /** Text of the parameters. */
  readonly params: Readonly<Record<string, string>>
  /** The other members. */
  readonly rest: Readonly<Record<string, unknown>>
}

/** Reads an endpoint as it was written. */
export function readEndpoint(given: unknown): ReadEndpoint {
  const { url: address, params, ...rest } = isAddress(given) ? { url: given } : membersOf(given)
  const text = paramsAsText(params)
  const url = isAbsent(address) ? undefined : parse(address)
  for (const [name, value] of Object.entries(text)) url?.searchParams.set(name, value)
  const invalid = url ? undefined : (address ?? undefined)
  return { isGiven: !isAbsent(given), url, invalid, params: text, rest }
}

function isAddress(given: unknown): given is string | URL {
  return typeof given === "string" || given instanceof URL
}

function parse(address: unknown): URL | undefined {
  const text = String(address)
  return isAddress(address) && isUrl(text) ? new URL(text) : undefined
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
  const written = isPlain(given) ? given.params : undefined
  return isPlain(written) && written.scope === null
}

/** Parameters of a caller belong to the address of the provider: an object without address keeps the one below it. */
export function keepAddresses(base: object, over: object): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of ["authorization", "token", "userinfo"]) {
    const below = (base as Merged)[name]
    const above = (over as Merged)[name]
    if (isAddress(below) && isPlain(above) && above.url === undefined) kept[name] = { url: below }
  }
  return kept
}

type Facts = Pick<ResolvedOAuthProvider, "type" | "issuer" | "jwksEndpoint" | "idToken"> & {
  readonly endpoints: {
    readonly authorization: ReadEndpoint
    readonly token: ReadEndpoint
    readonly userinfo: ReadEndpoint
  }
}

/** Where the rest is discovered; `undefined` where nothing is missing, or where there is too little to begin with. */
export function wellKnownOf(id: string, { label, merged, report }: Draft, facts: Facts): string | undefined {
  const missing = missingEndpoints(facts)
  if (missing.length === 0) return undefined
  const written = addressOf(merged.wellKnown)
  if (written !== undefined) return written
  if (facts.issuer !== undefined) return `${facts.issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`
  report.problem(
    new InvalidEndpoints(
      `"${label}": expected an "issuer", or all endpoints, received neither: ${missing.join(", ")} missing. ` +
        `Set "issuer" (or ${variableName(id, "ISSUER")}), or add what is missing.`,
      { cause: { provider: label, missing } },
    ),
  )
  return undefined
}

function missingEndpoints({ type, idToken, jwksEndpoint, endpoints }: Facts): string[] {
  const { authorization, token, userinfo } = endpoints
  const canRequest = (endpoint: ReadEndpoint): boolean =>
    endpoint.url !== undefined || typeof endpoint.rest.request === "function"
  const missing: string[] = []
  if (!authorization.url) missing.push("authorization")
  if (!canRequest(token)) missing.push("token")
  if ((type === "oauth" || !idToken) && !canRequest(userinfo)) missing.push("userinfo")
  if (type === "oidc" && jwksEndpoint === undefined) missing.push("jwks_endpoint")
  return missing
}

/** Reports every address of a provider that may not be asked. */
export function checkAddresses(
  { label, merged, report }: Draft,
  addresses: Record<string, ReadEndpoint | string | undefined>,
): void {
  const mayBeInsecure = merged.allowInsecureRequests === true
  if (mayBeInsecure) report.warn("insecure-requests")
  for (const [name, address] of Object.entries(addresses)) {
    const text = typeof address === "string" ? address : (address?.url?.href ?? address?.invalid)
    if (text === undefined) continue
    const url = parseHttp(text)
    // The person's browser goes to the authorization endpoint; user information in it would be shown to every visitor.
    if (url && (url.protocol === "https:" || mayBeInsecure || isLoopbackHost(url.hostname))) continue
    const expected = "an absolute https URL without user information"
    const remedy = url
      ? 'Plain http is only for loopback; set "allowInsecureRequests: true" on the provider inside a closed network.'
      : "Correct it."
    const mistake = { expected, received: text, remedy, isAddress: true }
    report.problem(new InvalidEndpoints(mistakeText(`${label}.${name}`, mistake)))
  }
}

/** A string that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

/** The text of an address, however it was written. */
export function addressOf(value: unknown): string | undefined {
  return value instanceof URL ? value.href : textOf(value)
}
