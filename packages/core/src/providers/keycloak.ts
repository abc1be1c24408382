/** Keycloak. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim } from "./parts/values.js"

/** What Keycloak says of a person. Which claims come depends on the mappers of the realm. */
export interface KeycloakProfile extends FurtherClaims {
  exp: number
  iat: number
  auth_time: number
  jti: string
  iss: string
  aud: string
  sub: string
  typ: string
  azp: string
  session_state: string
  at_hash: string
  acr: string
  sid: string
  email_verified: boolean
  name: string
  preferred_username: string
  given_name: string
  family_name: string
  email: string
  /** Only where a mapper adds it. */
  picture: string
}

/** Sign-in with Keycloak. `issuer` includes the realm. */
export function Keycloak<P extends KeycloakProfile = KeycloakProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"keycloak">> {
  return oidc(
    {
      id: "keycloak",
      name: "Keycloak",
      emailVerified: byClaim,
      style: { brandColor: "#428bca" },
      docs: "https://www.keycloak.org/securing-apps/oidc-layers",
      checked: "2026-11-21",
      notes: [
        "`issuer` is https://<host>/realms/<realm>, below /auth for versions before 17.",
        'A public client sets `client: { token_endpoint_auth_method: "none" }`.',
      ],
    },
    config,
  )
}

export default Keycloak
