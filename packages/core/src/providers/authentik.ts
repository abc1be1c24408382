/** Authentik. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/authentik.js"
import { byDenial } from "./parts/values.js"

/** What Authentik says of a person. */
export interface AuthentikProfile extends FurtherClaims {
  iss: string
  sub: string
  aud: string
  exp: number
  iat: number
  auth_time: number
  acr: string
  c_hash: string
  nonce: string
  at_hash: string
  email: string
  email_verified: boolean
  name: string
  given_name: string
  family_name: string
  preferred_username: string
  nickname: string
  groups?: string[]
}

/** Sign-in with Authentik. `issuer` includes the slug of the application. */
export function Authentik<P extends AuthentikProfile = AuthentikProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"authentik">> {
  return oidc(
    {
      id: "authentik",
      name: "Authentik",
      // Tokens name the issuer with a slash at its end, addresses are mostly written without.
      discoveryIssuer: (issuer) => `${issuer.replace(/\/+$/, "")}/`,
      // Before 2025.10 Authentik said `true` of every address; a token does not tell which release made it.
      emailVerified: byDenial,
      style: { brandColor: "#fd4b2d", logo: mark },
      docs: "https://docs.goauthentik.io/docs/add-secure-apps/providers/oauth2/",
      checked: "2026-11-21",
      notes: [
        "`issuer` is https://<host>/application/o/<slug of the application>.",
        "A picture comes only where a property mapping adds the claim.",
        "`email_verified: true` proves nothing by itself: before 2025.10 Authentik said it of every address, later ones say what the scope mapping says. Where yours reads it from what has been verified, set `emailVerified: (profile) => profile.email_verified === true`.",
      ],
    },
    config,
  )
}

export default Authentik
