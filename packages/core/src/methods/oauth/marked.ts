/** Provider objects made by the peer's packages: two of their quirks are switched on by a marker symbol instead of fields. */
import type { ResolvedOAuthProvider } from "../../config/settings.js"
import type { OAuth2Config } from "../../types/provider.js"

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** An issuer whose path starts with a tenant: `https://host/<tenant>/v2.0`. */
const tenantIssuer = /^(https:\/\/[^/]+\/)([^/]+)(\/v2\.0\/?)$/

function isMarked({ config }: ResolvedOAuthProvider): boolean {
  const marker = Object.getOwnPropertySymbols(config).find(({ description }) => description === "conform-internal")
  return marker !== undefined && (config as unknown as Record<symbol, unknown>)[marker] === true
}

/** Issuers with the token's own tenant in the path, for a provider that serves many. */
export function markedIssuerOf(provider: ResolvedOAuthProvider): OAuth2Config<never>["issuerOf"] {
  if (!isMarked(provider) || provider.config.issuerOf) return undefined
  return ({ tid }, issuer) => {
    const [, before, tenant = "", after] = tenantIssuer.exec(issuer) ?? []
    // A tenant that was named by its id is the only one that is served.
    if (before === undefined || uuid.test(tenant)) return issuer
    return typeof tid === "string" && uuid.test(tid) ? `${before}${tid}${after}` : undefined
  }
}

/** The `user` that comes with the first callback alone, as JSON. */
export function markedCallbackProfile(provider: ResolvedOAuthProvider): OAuth2Config<never>["callbackProfile"] {
  return isMarked(provider) && !provider.config.callbackProfile ? parsedUser : undefined
}

/** Reads the callback parameter `user`; one that is no JSON object is as if it were absent. */
export function parsedUser({ user }: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(user ?? "")
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { user: value } : undefined
  } catch {
    return undefined
  }
}
