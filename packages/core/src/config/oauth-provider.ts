/** A provider of OAuth 2 or OpenID Connect: endpoints, checks and discovery settled. */
import type { Profile } from "../types/identity.js"
import type { FetchFunction, OAuthConfig, OIDCCheck } from "../types/provider.js"
import { addressOf, judgeAddresses, textOf, wellKnownOf } from "./discovery.js"
import { type Draft, redirectProxyOf } from "./draft.js"
import { callsVerified } from "./email-proof.js"
import { type ReadEndpoint, readAuthorization, readEndpoint } from "./endpoints.js"
import { markedMember } from "./markers.js"
import { membersOf } from "./members.js"
import { fillPlaces } from "./places.js"
import { defaultAccount, defaultProfile } from "./profile.js"
import type { ResolvedOAuthProvider } from "./settings.js"

/** The runtime's fetch, looked up at each call: tests and instrumentation exchange it. One function, so that caches can be kept by it. */
export const runtimeFetch: FetchFunction = (input, init) => globalThis.fetch(input, init)

/** Completes a provider; what is wrong stands in the report. */
export function resolveOAuthProvider(written: Draft, type: "oauth" | "oidc"): ResolvedOAuthProvider {
  const draft: Draft = { ...written, merged: fillPlaces(written.merged) }
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
    allowUnverifiedEmail: merged.allowUnverifiedEmail === true,
    callsVerified: callsVerified({
      emailVerified: merged.emailVerified,
      allowUnverifiedEmail: merged.allowUnverifiedEmail === true,
    }),
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
