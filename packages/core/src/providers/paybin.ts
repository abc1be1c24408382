/** Paybin. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim } from "./parts/values.js"

/** What Paybin says of a person. */
export interface PaybinProfile extends FurtherClaims {
  sub: string
  email: string
  email_verified: boolean
  name: string
  preferred_username: string
  picture: string
  given_name: string
  family_name: string
}

/** Sign-in with Paybin. */
export function Paybin(config: OIDCUserConfig<PaybinProfile> = {}): OIDCConfig<PaybinProfile, UsualId<"paybin">> {
  return oidc(
    {
      id: "paybin",
      name: "Paybin",
      issuer: "https://idp.paybin.io",
      authorization: { url: "https://idp.paybin.io/oauth2/authorize", params: { scope: "openid email profile" } },
      token: "https://idp.paybin.io/oauth2/token",
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["pkce", "state"],
      emailVerified: byClaim,
      style: { brandColor: "#1f2937" },
      docs: "https://developers.paybin.io/knowledge-center/oidc",
      checked: "2026-11-21",
    },
    config,
  )
}

export default Paybin
