/** Descope. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim } from "./parts/values.js"

/** What Descope says of a person. */
export interface DescopeProfile extends FurtherClaims {
  sub: string
  name: string
  email: string
  email_verified: boolean
  phone_number: string
  phone_number_verified: boolean
  picture: string
}

/** Sign-in with Descope. */
export function Descope(config: OIDCUserConfig<DescopeProfile> = {}): OIDCConfig<DescopeProfile, UsualId<"descope">> {
  return oidc(
    {
      id: "descope",
      name: "Descope",
      issuer: "https://api.descope.com/{clientId}",
      checks: ["pkce", "state"],
      emailVerified: byClaim,
      style: { brandColor: "#1c1c23" },
      console: "https://app.descope.com",
      docs: "https://docs.descope.com/customize/auth/oidc",
      checked: "2026-11-21",
      notes: [
        "`clientId` is the project id, `clientSecret` an access key.",
        "Other applications than the first of a project give their own `issuer`.",
      ],
    },
    config,
  )
}

export default Descope
