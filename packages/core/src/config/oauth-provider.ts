/** A provider of OAuth 2 or OpenID Connect: endpoints, checks and discovery settled. */
import { InvalidEndpoints } from "../errors.js"
import { isLoopbackHost } from "../std/url.js"
import type { Profile } from "../types/identity.js"
import type { FetchFunction, OAuthConfig, OIDCCheck } from "../types/provider.js"
import { type ReadEndpoint, readAuthorization, readEndpoint } from "./endpoints.js"
import { markedMember } from "./markers.js"
import { membersOf } from "./members.js"
import { mistakeText } from "./mistake.js"
import { defaultAccount, defaultProfile } from "./profile.js"
import { variableName } from "./provider-entry.js"
import type { Report } from "./report.js"
import type { ResolvedOAuthProvider } from "./settings.js"
import { parseHttp } from "./site.js"

/** What is known of a provider before its protocol is looked at. */
export interface Draft {
  readonly id: string
  readonly name: string
  /** How the provider is called in messages. */
  readonly label: string
  readonly merged: Readonly<Record<PropertyKey, unknown>>
  readonly redirectProxyUrl: unknown
  readonly report: Report
}

/** The runtime's fetch, looked up at each call: tests and instrumentation exchange it. One function, so that caches can be kept by it. */
export const runtimeFetch: FetchFunction = (input, init) => globalThis.fetch(input, init)

/** Completes a provider; what is wrong stands in the report. */
export function resolveOAuthProvider(draft: Draft, type: "oauth" | "oidc"): ResolvedOAuthProvider {
  const { id, name, merged } = draft
  const endpoints = {
    authorization: readAuthorization(merged.authorization, type),
    token: readEndpoint(merged.token),
    userinfo: readEndpoint(merged.userinfo),
  }
  const isFormPost = endpoints.authorization.responseMode === "form_post"
  const proxy = redirectProxyOf(draft)
  const own = {
    clientId: textOf(merged.clientId),
    issuer: textOf(merged.issuer),
    jwksEndpoint: addressOf(merged.jwks_endpoint),
    checks: checksOf(draft, proxy !== undefined),
    idToken: merged.idToken !== false,
    profile: functionOr(merged.profile, defaultProfile),
    account: functionOr(merged.account, defaultAccount),
    client: Object.freeze({ ...membersOf(merged.client) }),
  }
  const wellKnown = wellKnownOf(draft, { type, endpoints, ...own })
  judgeAddresses(draft, { ...endpoints, issuer: own.issuer, wellKnown, jwks_endpoint: own.jwksEndpoint })
  const fetchOwn = markedMember(merged, "custom-fetch")
  return Object.freeze({
    type,
    id,
    name,
    ...own,
    config: configOf(draft, { ...endpoints, checks: own.checks, profile: own.profile, account: own.account }),
    clientSecret: merged.clientSecret as ResolvedOAuthProvider["clientSecret"],
    wellKnown,
    authorization: endpoints.authorization.url?.href,
    // A given endpoint carries them on its address.
    authorizationParams: Object.freeze(endpoints.authorization.url ? {} : endpoints.authorization.params),
    token: withAddress(endpoints.token),
    userinfo: withAddress(endpoints.userinfo),
    allowDangerousEmailAccountLinking: merged.allowDangerousEmailAccountLinking === true,
    allowInsecureRequests: merged.allowInsecureRequests === true,
    // A form post comes back without the person's cookies: the proxy could not send it on.
    redirectProxyUrl: isFormPost ? undefined : proxy,
    isFormPost,
    fetch: functionOr(fetchOwn, runtimeFetch),
  })
}

/** What callbacks of the application see: as written, with endpoints as objects. */
function configOf(
  { id, name, merged }: Draft,
  parts: Record<"authorization" | "token" | "userinfo", ReadEndpoint> & Record<string, unknown>,
): OAuthConfig<Profile> {
  const { authorization, token, userinfo, ...rest } = parts
  const shown = { authorization, token, userinfo }
  const endpoints = Object.entries(shown).filter(([, endpoint]) => endpoint.isGiven)
  return Object.freeze({
    ...merged,
    id,
    name,
    ...rest,
    ...Object.fromEntries(
      endpoints.map(([key, { url, params, rest: others }]) => [
        key,
        // The parameters stand on the address already, if there is one.
        Object.freeze({ ...others, ...(url ? { url } : { params }) }),
      ]),
    ),
  }) as unknown as OAuthConfig<Profile>
}

function withAddress({ isGiven, url, rest }: ReadEndpoint) {
  return isGiven ? Object.freeze({ ...rest, url: url?.href }) : undefined
}

function checksOf({ label, merged, report }: Draft, hasProxy: boolean): ResolvedOAuthProvider["checks"] {
  const given = merged.checks ?? ["pkce"]
  const known: readonly unknown[] = ["none", "state", "pkce", "nonce"] satisfies OIDCCheck[]
  if (!Array.isArray(given) || given.some((check) => !known.includes(check))) {
    report.mistake(`${label}.checks`, {
      expected: 'a list of "state", "pkce", "nonce" or "none"',
      received: Array.isArray(given) ? given.find((check) => !known.includes(check)) : given,
      mend: "Leave it out for the default.",
    })
    return Object.freeze(["pkce", "state"] as const)
  }
  // Only the sealed state tells the proxy where home is.
  const wanted = new Set(hasProxy ? [...given, "state"] : given)
  wanted.delete("none")
  return Object.freeze([...wanted]) as ResolvedOAuthProvider["checks"]
}

function redirectProxyOf({ label, merged, redirectProxyUrl, report }: Draft): string | undefined {
  const own = merged.redirectProxyUrl
  const given = own ?? redirectProxyUrl
  if (given === undefined || given === null || given === "") return undefined
  const url = parseHttp(given)
  if (url) return `${url.origin}${url.pathname.replace(/\/+$/, "")}`
  // The top-level one is judged where it stands.
  if (own !== undefined && own !== null) report.mistake(`${label}.redirectProxyUrl`, proxyMistake(given))
  return undefined
}

/** What is told about an unfit redirect proxy. */
export function proxyMistake(received: unknown): { expected: string; received: unknown; mend: string } {
  return {
    expected:
      "an absolute http(s) address that ends with the base path of the proxy, such as https://auth.example.com/auth",
    received,
    mend: "Correct it, or leave it out.",
  }
}

type Facts = Pick<ResolvedOAuthProvider, "type" | "issuer" | "jwksEndpoint" | "idToken"> & {
  readonly endpoints: {
    readonly authorization: ReadEndpoint
    readonly token: ReadEndpoint
    readonly userinfo: ReadEndpoint
  }
}

/** Where the rest is discovered; judges whether there is enough to begin with. */
function wellKnownOf({ id, label, merged, report }: Draft, facts: Facts): string | undefined {
  const missing = missingEndpoints(facts)
  const written = addressOf(merged.wellKnown)
  if (missing.length === 0) return undefined
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

function judgeAddresses(
  { label, merged, report }: Draft,
  addresses: Record<string, ReadEndpoint | string | undefined>,
) {
  const mayBeInsecure = merged.allowInsecureRequests === true
  if (mayBeInsecure) report.warn("insecure-requests")
  for (const [name, address] of Object.entries(addresses)) {
    const text = typeof address === "string" ? address : (address?.url?.href ?? address?.unfit)
    if (text === undefined) continue
    const url = parseHttp(text)
    // The person's browser goes to the authorization endpoint; user information in it would be shown to everybody.
    if (url && (url.protocol === "https:" || mayBeInsecure || isLoopbackHost(url.hostname))) continue
    report.problem(
      new InvalidEndpoints(
        mistakeText(`${label}.${name}`, {
          expected: "an absolute https address without user information",
          received: text,
          mend: url
            ? 'Plain http is for loopback; set "allowInsecureRequests: true" on the provider inside a closed network.'
            : "Correct it.",
        }),
      ),
    )
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

function addressOf(value: unknown): string | undefined {
  return value instanceof URL ? value.href : textOf(value)
}

function functionOr<F>(value: unknown, fallback: F): F {
  return typeof value === "function" ? (value as F) : fallback
}
