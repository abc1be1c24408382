/** LINE. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/line.js"

/** What LINE says of a person. */
export interface LineProfile extends FurtherClaims {
  iss: string
  sub: string
  aud: string
  exp: number
  iat: number
  amr?: string[]
  name: string
  picture: string
  user: unknown
  /** Needs the e-mail permission. */
  email: string
  nonce: string
}

/** Sign-in with LINE. */
export function LINE<P extends LineProfile = LineProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"line">> {
  return oidc(
    {
      id: "line",
      name: "LINE",
      issuer: "https://access.line.me",
      // Tokens of web logins are signed with the channel secret, whatever the discovery document announces.
      client: { token_endpoint_auth_method: "client_secret_post", id_token_signed_response_alg: "HS256" },
      checks: ["state"],
      style: { brandColor: "#00c300", logo: mark },
      console: "https://developers.line.biz/console/",
      docs: "https://developers.line.biz/en/docs/line-login/integrate-line-login/",
      checked: "2026-11-21",
      notes: [
        "`clientId` is the channel id, `clientSecret` the channel secret.",
        "The e-mail address needs a separate permission, which LINE grants to a channel on request.",
      ],
    },
    config,
  )
}

export default LINE
