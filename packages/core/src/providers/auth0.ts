/** Auth0. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/auth0.js"
import { byClaim } from "./parts/values.js"

/** What Auth0 says of a person. Which claims come depends on the connection. */
export interface Auth0Profile extends FurtherClaims {
  /** `<connection>|<id>` */
  sub: string
  nickname: string
  email: string
  email_verified: boolean
  name: string
  given_name?: string
  family_name?: string
  picture: string
  updated_at: string
}

/** Sign-in with Auth0. `issuer` is the address of the tenant or its custom domain. */
export function Auth0(config: OIDCUserConfig<Auth0Profile> = {}): OIDCConfig<Auth0Profile, UsualId<"auth0">> {
  return oidc(
    {
      id: "auth0",
      name: "Auth0",
      emailVerified: byClaim,
      style: { brandColor: "#eb5424", logo: mark },
      console: "https://manage.auth0.com",
      docs: "https://auth0.com/docs/authenticate",
      checked: "2026-11-21",
      notes: ["`issuer` is https://<tenant>.<region>.auth0.com, with or without the slash at its end."],
    },
    config,
  )
}

export default Auth0
