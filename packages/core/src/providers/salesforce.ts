/** Salesforce. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim } from "./parts/values.js"

/** What Salesforce says of a person. */
export interface SalesforceProfile extends FurtherClaims {
  sub: string
  nickname: string
  email: string
  picture: string
  user_id: string
  organization_id: string
  preferred_username: string
  name: string
  email_verified: boolean
  given_name: string
  family_name: string
  zoneinfo: string
  photos?: { picture: string; thumbnail: string }
}

/** Sign-in with Salesforce. */
export function Salesforce(
  config: OIDCUserConfig<SalesforceProfile> = {},
): OIDCConfig<SalesforceProfile, UsualId<"salesforce">> {
  return oidc(
    {
      id: "salesforce",
      name: "Salesforce",
      issuer: "https://login.salesforce.com",
      idToken: false,
      checks: ["pkce", "state", "nonce"],
      emailVerified: byClaim,
      style: { brandColor: "#00a1e0" },
      console: "https://login.salesforce.com",
      docs: "https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_using_userinfo_endpoint.htm",
      checked: "2026-11-21",
      notes: [
        "Sandboxes are under the issuer https://test.salesforce.com, organisations with a domain of their own under https://<domain>.my.salesforce.com.",
        "The id of the account is the identity URL (`sub`).",
      ],
    },
    config,
  )
}

export default Salesforce
