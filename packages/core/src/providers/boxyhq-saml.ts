/** BoxyHQ SAML. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { idOf, joined, textOf } from "./parts/values.js"

/** What BoxyHQ SAML says of a person. */
export interface BoxyHQSAMLProfile extends FurtherClaims {
  id: string
  email: string
  firstName: string
  lastName: string
  /** SAML attributes. */
  raw?: Record<string, unknown>
  requested?: { tenant: string; product: string; client_id: string; state: string }
}

/** Sign-in with BoxyHQ SAML. `issuer` is the address of the service. */
export function SAMLJackson<P extends BoxyHQSAMLProfile = BoxyHQSAMLProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"boxyhq-saml">> {
  return oauth(
    {
      id: "boxyhq-saml",
      name: "BoxyHQ SAML",
      authorization: { url: "{issuer}/api/oauth/authorize", params: { provider: "saml", scope: null } },
      token: "{issuer}/api/oauth/token",
      userinfo: "{issuer}/api/oauth/userinfo",
      profile: (profile) => ({
        id: idOf(profile.id),
        name: joined(profile.firstName, profile.lastName),
        email: textOf(profile.email),
        image: null,
      }),
      style: { brandColor: "#25c2a0" },
      docs: "https://boxyhq.com/docs/jackson/saml-flow",
      checked: "2026-11-21",
      notes: [
        "`issuer` is the address of the service.",
        "The request for a sign-in adds `tenant` and `product`, or `clientId` is that of one product; then the service finds the SAML connection.",
        "The service is called Ory Polis now. It speaks OpenID Connect as well.",
      ],
    },
    config,
  )
}

export default SAMLJackson
