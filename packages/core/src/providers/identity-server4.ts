/** IdentityServer4. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim } from "./parts/values.js"

/** What IdentityServer4 says of a person. */
export interface IdentityServer4Profile extends FurtherClaims {
  sub: string
  name: string
  given_name: string
  family_name: string
  email: string
  email_verified: boolean
  picture: string
}

/** Sign-in with IdentityServer4. `issuer` is the URL of the server. */
export function IdentityServer4(
  config: OIDCUserConfig<IdentityServer4Profile> = {},
): OIDCConfig<IdentityServer4Profile, UsualId<"identity-server4">> {
  return oidc(
    {
      id: "identity-server4",
      name: "IdentityServer4",
      emailVerified: byClaim,
      style: { brandColor: "#1e5799" },
      docs: "https://identityserver4.readthedocs.io/en/latest/",
      checked: "2026-11-21",
      notes: [
        "IdentityServer4 is out of support since the end of 2022; duende-identity-server6 follows it.",
        "If the id_token has only `sub`, set `idToken: false`.",
      ],
    },
    config,
  )
}

export default IdentityServer4
