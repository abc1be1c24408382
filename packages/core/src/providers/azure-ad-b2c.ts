/** Azure AD B2C. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/azure-ad-b2c.js"
import { idOf, textOf } from "./parts/values.js"

/** What Azure AD B2C says of a person. */
export interface AzureADB2CProfile extends FurtherClaims {
  exp: number
  nbf: number
  ver: string
  iss: string
  sub: string
  aud: string
  iat: number
  auth_time: number
  oid: string
  country: string
  name: string
  postalCode: string
  emails?: string[]
  tfp: string
  preferred_username: string
}

/** Sign-in with Azure AD B2C. `issuer` includes the user flow. */
export function AzureADB2C(
  config: OIDCUserConfig<AzureADB2CProfile> = {},
): OIDCConfig<AzureADB2CProfile, UsualId<"azure-ad-b2c">> {
  return oidc(
    {
      id: "azure-ad-b2c",
      name: "Azure AD B2C",
      // The document lies below the user flow, but names the tenant as issuer.
      discoveryIssuer: () => undefined,
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.name, profile.preferred_username),
        email: Array.isArray(profile.emails) ? textOf(profile.emails[0]) : null,
        image: null,
      }),
      style: { brandColor: "#0072c6", logo: mark },
      console: "https://portal.azure.com",
      docs: "https://learn.microsoft.com/en-us/azure/active-directory-b2c/openid-connect",
      checked: "2026-11-21",
      notes: [
        "`issuer` is https://<tenant>.b2clogin.com/<tenant>.onmicrosoft.com/<user flow>/v2.0.",
        "Claims come as far as the user flow ticks them as application claims.",
        "Closed to new customers; Microsoft Entra External ID follows it.",
      ],
    },
    config,
  )
}

export default AzureADB2C
