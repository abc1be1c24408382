/** ZITADEL. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim } from "./parts/values.js"

/** What ZITADEL says of a person. */
export interface ZitadelProfile extends FurtherClaims {
  amr?: string[]
  aud?: string | string[]
  auth_time: number
  azp: string
  email: string
  email_verified: boolean
  exp: number
  family_name: string
  given_name: string
  gender: string
  iat: number
  iss: string
  jti: string
  locale: string
  name: string
  nbf: number
  picture: string
  phone: string
  phone_verified: boolean
  preferred_username: string
  sub: string
}

/** Sign-in with ZITADEL. `issuer` is the instance. */
export function ZITADEL<P extends ZitadelProfile = ZitadelProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"zitadel">> {
  return oidc(
    {
      id: "zitadel",
      name: "ZITADEL",
      emailVerified: byClaim,
      style: { brandColor: "#ff6f5e" },
      console: "https://zitadel.cloud",
      docs: "https://zitadel.com/docs/apis/openidoauth/endpoints",
      checked: "2026-11-21",
      notes: [
        "`issuer` is https://<instance>.zitadel.cloud or the domain of your own.",
        'Tick "User Info inside ID Token" in the application, or set `idToken: false`.',
        'An application without secret sets `client: { token_endpoint_auth_method: "none" }`.',
      ],
    },
    config,
  )
}

export default ZITADEL
