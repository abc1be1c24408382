/** Duende IdentityServer 6. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"

/** What Duende IdentityServer 6 says of a person. */
export interface DuendeISUser extends FurtherClaims {
  email: string
  id: string
  name: string
  verified: boolean
}

/** Sign-in with Duende IdentityServer 6. `issuer` is the URL of the server. */
export function DuendeIdentityServer6<P extends DuendeISUser = DuendeISUser>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"duende-identity-server6">> {
  return oidc(
    {
      id: "duende-identity-server6",
      name: "Duende IdentityServer 6",
      style: { brandColor: "#2b3c74" },
      docs: "https://docs.duendesoftware.com/identityserver/",
      checked: "2026-11-21",
      notes: [
        "Name and address stand in the id_token only where the server puts them there (AlwaysIncludeUserClaimsInIdToken); otherwise set `idToken: false`.",
        'Demo: issuer https://demo.duendesoftware.com, id interactive.confidential, secret "secret".',
      ],
    },
    config,
  )
}

export default DuendeIdentityServer6
