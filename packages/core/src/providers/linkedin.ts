/** LinkedIn. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/linkedin.js"
import { byClaim } from "./parts/values.js"

/** What LinkedIn says of a person. */
export interface LinkedInProfile extends FurtherClaims {
  sub: string
  name: string
  given_name: string
  family_name: string
  picture: string
  locale: unknown
  email: string
  email_verified: boolean
}

/** Sign-in with LinkedIn. */
export function LinkedIn<P extends LinkedInProfile = LinkedInProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"linkedin">> {
  return oidc(
    {
      id: "linkedin",
      name: "LinkedIn",
      issuer: "https://www.linkedin.com/oauth",
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["state"],
      emailVerified: byClaim,
      style: { brandColor: "#0a66c2", logo: mark },
      console: "https://www.linkedin.com/developers/apps",
      docs: "https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2",
      checked: "2026-11-21",
      notes: [
        'The application needs the product "Sign In with LinkedIn using OpenID Connect".',
        "Neither PKCE nor a nonce works for ordinary web applications: `state` is the check.",
      ],
    },
    config,
  )
}

export default LinkedIn
