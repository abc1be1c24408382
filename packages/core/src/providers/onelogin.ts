/** OneLogin. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"

/** What OneLogin says of a person. */
export interface OneLoginProfile extends FurtherClaims {
  sub: string
  email: string
  preferred_username: string
  name: string
  given_name: string
  family_name: string
  updated_at: string
  groups?: string[]
  custom_fields?: Record<string, unknown>
}

/** Sign-in with OneLogin. `issuer` ends in /oidc/2. */
export function OneLogin(
  config: OIDCUserConfig<OneLoginProfile> = {},
): OIDCConfig<OneLoginProfile, UsualId<"onelogin">> {
  return oidc(
    {
      id: "onelogin",
      name: "OneLogin",
      style: { brandColor: "#1c1f2a" },
      console: "https://www.onelogin.com",
      docs: "https://developers.onelogin.com/openid-connect",
      checked: "2026-11-21",
      notes: [
        "`issuer` is https://<subdomain>.onelogin.com/oidc/2.",
        "The method of client authentication has to be the one set on the application.",
      ],
    },
    config,
  )
}

export default OneLogin
