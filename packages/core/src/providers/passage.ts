/** Passage. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"

/** What Passage says of a person. */
export interface PassageProfile extends FurtherClaims {
  iss: string
  sub: string
  aud?: string[]
  exp: number
  iat: number
  auth_time: number
  azp: string
  client_id: string
  at_hash: string
  c_hash: string
  email: string
  email_verified: boolean
  phone: string
  phone_number_verified: boolean
}

/** Sign-in with Passage. The service has ended. */
export function Passage(config: OIDCUserConfig<PassageProfile> = {}): OIDCConfig<PassageProfile, UsualId<"passage">> {
  return oidc(
    {
      id: "passage",
      name: "Passage",
      discontinued:
        "Passage by 1Password ended on 2026-01-16. Use `passkey`, or a provider of OpenID Connect such as `auth0` or `zitadel`.",
      client: { token_endpoint_auth_method: "client_secret_basic" },
      style: { brandColor: "#3d53f6" },
      docs: "https://docs.passage.id/hosted-login/oidc-client-configuration",
      checked: "2026-11-21",
      notes: ["The service ended on 2026-01-16."],
    },
    config,
  )
}

export default Passage
