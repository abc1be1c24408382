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

/** Options of {@link SAMLJackson}. */
export type BoxyHQSAMLUserConfig<P = BoxyHQSAMLProfile> = OAuthUserConfig<P> & {
  /**
   * The id of an account begins with its tenant and product. The identity provider of each tenant chooses the ids of its
   * people: without this, one tenant can sign in as the users of another. Ids of accounts change when it is set.
   * @default false
   */
  separateTenants?: boolean
}

/** Sign-in with BoxyHQ SAML. `issuer` is the address of the service. */
export function SAMLJackson<P extends BoxyHQSAMLProfile = BoxyHQSAMLProfile>(
  config: BoxyHQSAMLUserConfig<P> = {},
): OAuth2Config<P, UsualId<"boxyhq-saml">> {
  const { separateTenants = false, ...rest } = config
  return oauth(
    {
      id: "boxyhq-saml",
      name: "BoxyHQ SAML",
      authorization: { url: "{issuer}/api/oauth/authorize", params: { provider: "saml", scope: null } },
      token: "{issuer}/api/oauth/token",
      userinfo: "{issuer}/api/oauth/userinfo",
      profile: (profile) => ({
        id: separateTenants ? idWithTenant(profile) : idOf(profile.id),
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
        "With several tenants set `separateTenants: true`: the identity provider of each tenant chooses the ids and the addresses of its people, those of another tenant's people too. Whoever signs in chooses the tenant.",
        "The service is called Ory Polis now. It speaks OpenID Connect as well.",
      ],
    },
    rest as OAuthUserConfig<P>,
  )
}

export default SAMLJackson

/** Without a tenant, as where the identity provider began the sign-in, there is no id. */
function idWithTenant({ id, requested }: BoxyHQSAMLProfile): string {
  const parts = [requested?.tenant, requested?.product, id].map((part) => encodeURIComponent(idOf(part)))
  return parts.includes("") ? "" : parts.join(":")
}
