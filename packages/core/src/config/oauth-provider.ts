/** A provider of OAuth 2 or OpenID Connect: endpoints, checks and discovery settled. */
import type { Profile } from "../types/identity.js"
import type { FetchFunction, OAuthConfig, OIDCCheck } from "../types/provider.js"
import { redirectProxyOf } from "./addresses.js"
import { defaultAccount, defaultProfile } from "./callbacks.js"
import { callsVerified } from "./email-proof.js"
import {
  addressOf,
  checkAddresses,
  fillPlaces,
  type ReadEndpoint,
  readAuthorization,
  readEndpoint,
  textOf,
  wellKnownOf,
} from "./endpoints.js"
import { markedMember } from "./markers.js"
import { isAbsent, membersOf } from "./members.js"
import type { Draft } from "./provider-checks.js"
import type { ResolvedOAuthProvider } from "./settings.js"

/** The runtime's fetch, looked up at each call: tests and instrumentation exchange it. */
export const runtimeFetch: FetchFunction = (input, init) => globalThis.fetch(input, init)

/** The function that is called at present: what another one fetched may not be true of this one. */
export function presentFetch(fetch: FetchFunction): FetchFunction {
  return fetch === runtimeFetch ? globalThis.fetch : fetch
}

/** Completes a provider, with the redirect proxy of the whole configuration; what is wrong stands in the report. */
export function resolveOAuthProvider(
  { id, name }: { readonly id: string; readonly name: string },
  written: Draft,
  redirectProxyUrl: string | undefined,
): ResolvedOAuthProvider {
  const merged = fillPlaces(written.merged)
  const draft: Draft = { ...written, merged }
  const type = merged.type as "oauth" | "oidc"
  const endpoints = {
    authorization: readAuthorization(merged.authorization, type),
    token: readEndpoint(merged.token),
    userinfo: readEndpoint(merged.userinfo),
  }
  const isFormPost = endpoints.authorization.responseMode === "form_post"
  const proxy = isAbsent(merged.redirectProxyUrl)
    ? redirectProxyUrl
    : redirectProxyOf(`${draft.label}.redirectProxyUrl`, merged.redirectProxyUrl, draft.report)
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
  const wellKnown = wellKnownOf(id, draft, { type, endpoints, ...own })
  checkAddresses(draft, { ...endpoints, issuer: own.issuer, wellKnown, jwks_endpoint: own.jwksEndpoint })
  const { checks, profile, account } = own
  return Object.freeze({
    type,
    id,
    name,
    ...own,
    config: configOf(endpoints, { ...merged, id, name, checks, profile, account }),
    clientSecret: merged.clientSecret as ResolvedOAuthProvider["clientSecret"],
    wellKnown,
    authorization: endpoints.authorization.url?.href,
    // A given endpoint carries them on its address.
    authorizationParams: Object.freeze(endpoints.authorization.url ? {} : endpoints.authorization.params),
    token: withAddress(endpoints.token),
    userinfo: withAddress(endpoints.userinfo),
    allowDangerousEmailAccountLinking: merged.allowDangerousEmailAccountLinking === true,
    allowUnverifiedEmail: merged.allowUnverifiedEmail === true,
    callsVerified: callsVerified(merged),
    filesProfile: functionOr(draft.filesProfile, undefined),
    allowInsecureRequests: merged.allowInsecureRequests === true,
    // A form post comes back without the person's cookies: the proxy could not send it on.
    redirectProxyUrl: isFormPost ? undefined : proxy,
    isFormPost,
    fetch: functionOr(markedMember(merged, "custom-fetch"), runtimeFetch),
  })
}

/** What callbacks of the application see: as written, with endpoints as objects. */
function configOf(endpoints: Readonly<Record<string, ReadEndpoint>>, rest: object): OAuthConfig<Profile> {
  const given = Object.entries(endpoints).filter(([, { isGiven }]) => isGiven)
  // The parameters stand on the address already, if there is one.
  const shown = given.map(([key, { url, params, rest: others }]) => [
    key,
    Object.freeze({ ...others, ...(url ? { url } : { params }) }),
  ])
  return Object.freeze({ ...rest, ...Object.fromEntries(shown) })
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
      remedy: "Leave it out for the default.",
    })
    return Object.freeze(["pkce", "state"] as const)
  }
  // Only the sealed state says where the proxy sends the browser back to.
  const wanted = new Set(hasProxy ? [...given, "state"] : given)
  wanted.delete("none")
  return Object.freeze([...wanted]) as ResolvedOAuthProvider["checks"]
}

function functionOr<F>(value: unknown, fallback: F): F {
  return typeof value === "function" ? (value as F) : fallback
}
