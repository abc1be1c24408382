/** Okta. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/okta.js"
import { byClaim } from "./parts/values.js"

/** What Okta says of a person. */
export interface OktaProfile extends FurtherClaims {
  iss: string
  ver: string
  sub: string
  aud: string
  iat: number
  exp: number
  jti: string
  auth_time: number
  amr?: string[]
  idp: string
  nonce: string
  name: string
  nickname: string
  preferred_username: string
  given_name: string
  middle_name: string
  family_name: string
  email: string
  email_verified: boolean
  profile: string
  zoneinfo: string
  locale: string
  address?: Record<string, unknown>
  phone_number: string
  picture: string
  website: string
  gender: string
  birthdate: string
  updated_at: number
  at_hash: string
  c_hash: string
}

/** Sign-in with Okta. `issuer` is the authorization server. */
export function Okta<P extends OktaProfile = OktaProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"okta">> {
  return oidc(
    {
      id: "okta",
      name: "Okta",
      checks: ["pkce", "state"],
      emailVerified: byClaim,
      style: { brandColor: "#007dc1", logo: mark },
      console: "https://login.okta.com",
      docs: "https://developer.okta.com/docs/reference/api/oidc/",
      checked: "2026-11-21",
      notes: [
        "`issuer` is https://<organisation>.okta.com, or followed by /oauth2/<server> for a custom authorization server.",
        "If the id_token lacks name and e-mail address, set `idToken: false`.",
      ],
    },
    config,
  )
}

export default Okta
