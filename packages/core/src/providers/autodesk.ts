/** Autodesk. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/autodesk.js"
import { byClaim } from "./parts/values.js"

/** What Autodesk says of a person. */
export interface AutodeskProfile extends FurtherClaims {
  sub: string
  name: string
  given_name: string
  family_name: string
  preferred_username: string
  email: string
  email_verified: boolean
  profile: string
  picture: string
  locale: string
  updated_at: number
  is_2fa_enabled: boolean
  country_code: string
}

/** Sign-in with Autodesk. */
export function Autodesk(
  config: OIDCUserConfig<AutodeskProfile> = {},
): OIDCConfig<AutodeskProfile, UsualId<"autodesk">> {
  return oidc(
    {
      id: "autodesk",
      name: "Autodesk",
      issuer: "https://developer.api.autodesk.com",
      authorization: {
        url: "https://developer.api.autodesk.com/authentication/v2/authorize",
        params: { scope: "openid user-profile:read" },
      },
      token: "https://developer.api.autodesk.com/authentication/v2/token",
      userinfo: "https://api.userprofile.autodesk.com/userinfo",
      jwks_endpoint: "https://developer.api.autodesk.com/authentication/v2/keys",
      idToken: false,
      checks: ["pkce", "state"],
      emailVerified: byClaim,
      style: { brandColor: "#000000", logo: mark },
      console: "https://aps.autodesk.com/myapps",
      docs: "https://aps.autodesk.com/en/docs/oauth/v2/developers_guide/overview/",
      checked: "2026-11-21",
    },
    config,
  )
}

export default Autodesk
