/** Where the rest of a provider is discovered, whether there is enough to begin with, and which addresses may be asked. */
import { InvalidEndpoints } from "../errors.js"
import { isLoopbackHost } from "../std/url.js"
import type { Draft } from "./draft.js"
import type { ReadEndpoint } from "./endpoints.js"
import { mistakeText } from "./mistake.js"
import { variableName } from "./provider-entry.js"
import type { ResolvedOAuthProvider } from "./settings.js"
import { parseHttp } from "./site.js"

type Facts = Pick<ResolvedOAuthProvider, "type" | "issuer" | "jwksEndpoint" | "idToken"> & {
  readonly endpoints: {
    readonly authorization: ReadEndpoint
    readonly token: ReadEndpoint
    readonly userinfo: ReadEndpoint
  }
}

/** Where the rest is discovered; judges whether there is enough to begin with. */
export function wellKnownOf({ id, label, merged, report }: Draft, facts: Facts): string | undefined {
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

/** Judges every address a provider has. */
export function judgeAddresses(
  { label, merged, report }: Draft,
  addresses: Record<string, ReadEndpoint | string | undefined>,
): void {
  const mayBeInsecure = merged.allowInsecureRequests === true
  if (mayBeInsecure) report.warn("insecure-requests")
  for (const [name, address] of Object.entries(addresses)) {
    const text = typeof address === "string" ? address : (address?.url?.href ?? address?.unfit)
    if (text === undefined) continue
    const url = parseHttp(text)
    // The person's browser goes to the authorization endpoint; user information in it would be shown to every visitor.
    if (url && (url.protocol === "https:" || mayBeInsecure || isLoopbackHost(url.hostname))) continue
    report.problem(
      new InvalidEndpoints(
        mistakeText(`${label}.${name}`, {
          expected: "an absolute https address without user information",
          received: text,
          remedy: url
            ? 'Plain http is for loopback; set "allowInsecureRequests: true" on the provider inside a closed network.'
            : "Correct it.",
        }),
      ),
    )
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
