/** Microsoft Entra ID: one tenant, or many. */
import { toBase64 } from "../std/bytes.js"
import { environment } from "../std/runtime.js"
import { isProvenAddress, personalTenant } from "../std/tenant-address.js"
import { variableName } from "../std/variable-name.js"
import type { TokenSet } from "../types/identity.js"
import type { FetchFunction, OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/microsoft-entra-id.js"

/** What Entra ID says of a person. Which claims come depends on the application's registration. */
export interface MicrosoftEntraIDProfile extends FurtherClaims {
  aud: string
  iss: string
  iat: number
  idp?: string
  nbf: number
  exp: number
  c_hash?: string
  at_hash?: string
  aio?: string
  preferred_username: string
  email: string
  name: string
  nonce?: string
  /** The person, across applications. */
  oid: string
  roles?: string[]
  rh?: string
  /** The person, for this application. */
  sub: string
  /** The tenant. */
  tid: string
  sid?: string
  uti?: string
  ver: "2.0"
  acct?: 0 | 1
  acrs?: string[]
  auth_time?: number
  ctry?: string
  groups?: string[]
  login_hint?: string
  upn?: string
  verified_primary_email?: string[]
  verified_secondary_email?: string[]
  /** The owner of the address's domain is known. */
  xms_edov?: boolean | number | string
  family_name?: string
  given_name?: string
}

/** Options of {@link MicrosoftEntraID}. */
export type MicrosoftEntraIDUserConfig = OIDCUserConfig<MicrosoftEntraIDProfile> & {
  /** Edge of the photo in pixels. @default 48 */
  profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648
}

const anyTenant = "https://login.microsoftonline.com/common/v2.0"
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const sharedIssuer = /^(https:\/\/[^/]+\/)(common|organizations|consumers)(\/v2\.0)\/?$/

/** Sign-in with Microsoft Entra ID. The `issuer` chooses the tenant; without one everybody with a Microsoft account comes in. */
export function MicrosoftEntraID(
  config: MicrosoftEntraIDUserConfig = {},
): OIDCConfig<MicrosoftEntraIDProfile, UsualId<"microsoft-entra-id">> {
  const { profilePhotoSize = 48, ...rest } = config
  const issuer = config.issuer ?? issuerFromEnvironment(config.id) ?? anyTenant
  return oidc(
    {
      id: "microsoft-entra-id",
      name: "Microsoft Entra ID",
      issuer,
      authorization: { params: { scope: "openid profile email User.Read" } },
      discoveryIssuer,
      issuerOf,
      profile: async (profile, tokens, tools) => ({
        id: profile.sub,
        name: profile.name,
        email: profile.email,
        image: (await photo(tokens, profilePhotoSize, tools?.fetch)) ?? null,
      }),
      emailVerified: (profile) => isProvenAddress(profile, sharedIssuer.test(issuer)),
      // https://learn.microsoft.com/en-us/entra/identity-platform/howto-add-branding-in-apps
      style: { brandColor: "#0072c6", logo: mark, label: "Microsoft", verb: "signIn" },
      console: "https://entra.microsoft.com",
      docs: "https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow",
      checked: "2026-11-21",
      notes: [
        "`issuer` is a full URL: https://login.microsoftonline.com/<tenant id>/v2.0.",
        "Administrators of a tenant can change e-mail addresses. With several tenants an address links accounts only if Microsoft has verified it (optional claims xms_edov, verified_primary_email).",
      ],
    },
    rest,
  )
}

export default MicrosoftEntraID

/**
 * The issuer that the environment names for the provider of this id, else for `microsoft-entra-id`. It is read here as well:
 * one that was overlooked would let everybody with a Microsoft account in.
 */
export function issuerFromEnvironment(id = "microsoft-entra-id"): string | undefined {
  const variables = environment()
  const named = [id, "microsoft-entra-id"].map((one) => variables[variableName(one, "ISSUER")]?.trim() || undefined)
  return named[0] ?? named[1]
}

/** What the document of a shared tenant says instead of the address it was asked under. */
function discoveryIssuer(configured: string): string {
  const [, host, tenants, version] = sharedIssuer.exec(configured) ?? []
  if (host === undefined) return configured
  return `${host}${tenants === "consumers" ? personalTenant : "{tenantid}"}${version}`
}

/** A token names the person's own tenant. Which tenants are served follows from the configured issuer. */
function issuerOf({ tid }: Readonly<Record<string, unknown>>, configured: string): string | undefined {
  const [, host, tenants, version] = sharedIssuer.exec(configured) ?? []
  if (host === undefined) return configured
  if (typeof tid !== "string" || !guid.test(tid)) return undefined
  const isPersonal = tid.toLowerCase() === personalTenant
  if (tenants === "organizations" && isPersonal) return undefined
  if (tenants === "consumers" && !isPersonal) return undefined
  return `${host}${tid}${version}`
}

/** The photo as a data address; none when there is none, or when it cannot be had. */
async function photo(tokens: TokenSet, size: number, fetch: FetchFunction | undefined): Promise<string | undefined> {
  try {
    const response = await fetch?.(`https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    if (!response?.ok) return undefined
    return `data:image/jpeg;base64,${toBase64(new Uint8Array(await response.arrayBuffer()))}`
  } catch {
    return undefined
  }
}
