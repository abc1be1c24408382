/** Kinde. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim } from "./parts/values.js"

/** What Kinde says of a person. */
export interface KindeProfile extends FurtherClaims {
  /** Kp_.... */
  sub: string
  given_name: string
  family_name: string
  name: string
  email: string
  email_verified: boolean
  picture: string
  org_codes?: string[]
  updated_at: number
}

/** Sign-in with Kinde. `issuer` is the domain of the business. */
export function Kinde(config: OIDCUserConfig<KindeProfile> = {}): OIDCConfig<KindeProfile, UsualId<"kinde">> {
  return oidc(
    {
      id: "kinde",
      name: "Kinde",
      checks: ["state", "pkce"],
      emailVerified: byClaim,
      style: { brandColor: "#0f0f0f" },
      console: "https://app.kinde.com",
      docs: "https://docs.kinde.com/developer-tools/about/using-kinde-without-an-sdk/",
      checked: "2026-11-21",
      notes: ["`issuer` is https://<subdomain>.kinde.com.", "A refresh token needs the scope `offline`."],
    },
    config,
  )
}

export default Kinde
