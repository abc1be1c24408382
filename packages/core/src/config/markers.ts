/**
 * The marker symbols of a configuration, and the quirks that Auth.js's provider objects ask for with one. Markers are
 * known by their description, so that those of another copy of the package count as well.
 */
import { withSubject } from "../std/own-statement.js"
import { isProvenAddress, personalTenant } from "../std/tenant-address.js"
import type { OAuth2Config } from "../types/provider.js"
import { membersOf } from "./members.js"

export { customFetch } from "../std/fetch-marker.js"

/** Set `skipCSRFCheck` to this marker to switch the protection off. Only where something else protects. */
export const skipCSRFCheck: unique symbol = Symbol("skip-csrf-check")

/** Set `raw` to this marker and `Auth` answers with plain data instead of a `Response`. */
export const raw: unique symbol = Symbol("return-type-raw")

/** The descriptions of the markers. */
export type Marker = "skip-csrf-check" | "return-type-raw" | "custom-fetch" | "conform-internal"

/** Is the value a marker of this kind? */
export function isMarker(value: unknown, marker: Marker): boolean {
  return typeof value === "symbol" && value.description === marker
}

/** The own member of an object that stands under a marker. */
export function markedMember(owner: object, marker: Marker): unknown {
  const key = Object.getOwnPropertySymbols(owner).find((symbol) => symbol.description === marker)
  return key === undefined ? undefined : (owner as Record<symbol, unknown>)[key]
}

type Quirks = Pick<OAuth2Config<never>, "issuerOf" | "discoveryIssuer" | "callbackProfile"> & {
  readonly emailVerified?: (profile: Readonly<Record<string, unknown>>) => boolean | "unstated"
}

const guid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const sharedTenant = /^(https:\/\/[^/]+\/)(common|organizations|consumers)(\/v2\.0)?$/i

const byId: Readonly<Record<string, Quirks>> = {
  apple: { callbackProfile },
  "microsoft-entra-id": { issuerOf, discoveryIssuer },
  "azure-ad": { issuerOf, discoveryIssuer },
}

/**
 * The general fields that stand for the quirks of a marked provider; none for any other. `id` is the one the provider was
 * made with: the one place that reads a provider's id.
 */
export function markedQuirks(provider: object, id: unknown): Quirks {
  if (markedMember(provider, "conform-internal") !== true) return {}
  const quirks = typeof id === "string" && Object.hasOwn(byId, id) ? (byId[id] as Quirks) : {}
  return quirks.issuerOf && isShared(provider) ? withSubject({ ...quirks, emailVerified: ofTenant }) : quirks
}

/** Does the provider serve several tenants? */
function isShared(provider: object): boolean {
  const { issuer, options } = membersOf(provider)
  return sharedTenant.test(String(membersOf(options)["issuer"] ?? issuer))
}

/** Its administrators write any address into their tenant, and Auth.js does not ask whose it is. */
function ofTenant(profile: Readonly<Record<string, unknown>>): boolean | "unstated" {
  return isProvenAddress(profile, true)
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
  const isPersonal = tenant.toLowerCase() === personalTenant
  const isFit = tenants.toLowerCase() === "common" || isPersonal === (tenants.toLowerCase() === "consumers")
  return isFit ? `${host}${tenant}${version}` : undefined
}

/** Auth.js's own fetch puts the configured tenant into the document, except for the one that is named by its id there. */
function discoveryIssuer(configuredIssuer: string): string {
  return configuredIssuer.replace(/\/consumers(?=\/|$)/i, `/${personalTenant}`)
}
