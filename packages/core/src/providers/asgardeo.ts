/** Asgardeo. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"

/** What Asgardeo says of a person. */
export interface AsgardeoProfile extends FurtherClaims {
  sub: string
  given_name: string
  email: string
  picture: string
}

/** Sign-in with Asgardeo. `issuer` is that of the organisation. */
export function Asgardeo(
  config: OIDCUserConfig<AsgardeoProfile> = {},
): OIDCConfig<AsgardeoProfile, UsualId<"asgardeo">> {
  return oidc(
    {
      id: "asgardeo",
      name: "Asgardeo",
      style: { brandColor: "#ff7300" },
      console: "https://console.asgardeo.io",
      docs: "https://wso2.com/asgardeo/docs/guides/authentication",
      checked: "2026-11-21",
      notes: [
        "`issuer` is https://api.asgardeo.io/t/<organisation>/oauth2/token, the value its tokens carry.",
        "Only attributes that are enabled for the application come; the name and the picture are often missing.",
      ],
    },
    config,
  )
}

export default Asgardeo
