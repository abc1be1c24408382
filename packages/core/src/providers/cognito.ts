/** Cognito. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim } from "./parts/values.js"

/** What Cognito says of a person. */
export interface CognitoProfile extends FurtherClaims {
  sub: string
  name: string
  email: string
  picture: string
  email_verified: boolean | string
  "cognito:username": string
  given_name: string
  family_name: string
  /** Federated users. */
  identities?: Record<string, unknown>[]
}

/** Sign-in with Cognito. `issuer` is the address of the user pool. */
export function Cognito<P extends CognitoProfile = CognitoProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"cognito">> {
  return oidc(
    {
      id: "cognito",
      name: "Cognito",
      emailVerified: byClaim,
      style: { brandColor: "#c17b9e" },
      console: "https://console.aws.amazon.com/cognito",
      docs: "https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-userpools-server-contract-reference.html",
      checked: "2026-11-21",
      notes: [
        "`issuer` is https://cognito-idp.<region>.amazonaws.com/<user pool id>; the endpoints are on the domain of the pool and are discovered.",
        "The app client needs the code grant and the scopes openid, profile and email.",
        'A client without secret sets `client: { token_endpoint_auth_method: "none" }`.',
      ],
    },
    config,
  )
}

export default Cognito
