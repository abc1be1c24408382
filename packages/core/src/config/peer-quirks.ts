/** The two quirks that Auth.js's provider objects ask for with a marker, translated to general fields. The one file that reads a provider's id. */
import type { OAuth2Config } from "../types/provider.js"
import { markedMember } from "./markers.js"

type Quirks = Pick<OAuth2Config<never>, "issuerOf" | "discoveryIssuer" | "callbackProfile">

const guid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const sharedTenant = /^(https:\/\/[^/]+\/)(common|organizations|consumers)(\/v2\.0)?$/i
/** The tenant of personal accounts: all of them are in it, and no others. */
const consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

const byId: Readonly<Record<string, Quirks>> = {
  apple: { callbackProfile },
  "microsoft-entra-id": { issuerOf, discoveryIssuer },
  "azure-ad": { issuerOf, discoveryIssuer },
}

/** The general fields for a marked provider; none for any other. `id` is the one the provider was made with. */
export function peerQuirks(provider: object, id: unknown): Quirks {
  if (markedMember(provider, "conform-internal") !== true) return {}
  return typeof id === "string" && Object.hasOwn(byId, id) ? (byId[id] as Quirks) : {}
}

/** Apple sends the name once, beside the code, as JSON. */
function callbackProfile(params: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> | undefined {
  try {
    const user: unknown = JSON.parse(params.user ?? "null")
    const name = (user as { name?: unknown } | null)?.name
    // Its profile callback reads the name without looking.
    return typeof name === "object" && name !== null ? { user } : undefined
  } catch {
    return undefined
  }
}

/** Tokens for several tenants name the tenant of the user, which the claim `tid` names as well. */
function issuerOf(claims: Readonly<Record<string, unknown>>, configuredIssuer: string): string | undefined {
  const [, host, tenants, version = ""] = sharedTenant.exec(configuredIssuer) ?? []
  if (host === undefined || tenants === undefined) return configuredIssuer
  const tenant = claims.tid
  if (typeof tenant !== "string" || !guid.test(tenant)) return undefined
  const isPersonal = tenant.toLowerCase() === consumers
  const isFit = tenants.toLowerCase() === "common" || isPersonal === (tenants.toLowerCase() === "consumers")
  return isFit ? `${host}${tenant}${version}` : undefined
}

/** Auth.js's own fetch puts the configured tenant into the document, except for the one that is named by its id there. */
function discoveryIssuer(configuredIssuer: string): string {
  return configuredIssuer.replace(/\/consumers(?=\/|$)/i, `/${consumers}`)
}
