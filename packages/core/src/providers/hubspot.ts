/** HubSpot. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/hubspot.js"
import { ask, secretOf } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What HubSpot says of a person. */
export interface HubSpotProfile extends FurtherClaims {
  token: string
  /** The address. */
  user: string
  user_id: number
  hub_domain: string
  hub_id: number
  app_id: number
  scopes?: string[]
  expires_in: number
  /** `access` */
  token_type: string
  is_private_distribution: boolean
  signed_access_token?: { userId?: number; hubId?: number; appId?: number; [extra: string]: unknown }
}

const introspection = "https://api.hubapi.com/oauth/2026-03/token/introspect"

/** Sign-in with HubSpot. */
export function HubSpot<P extends HubSpotProfile = HubSpotProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"hubspot">> {
  return oauth(
    {
      id: "hubspot",
      name: "HubSpot",
      authorization: { url: "https://app.hubspot.com/oauth/authorize", params: { scope: "oauth" } },
      token: "https://api.hubapi.com/oauth/2026-03/token",
      userinfo: {
        url: introspection,
        request: ({ provider, tokens, fetch }) =>
          ask({
            fetch,
            service: "HubSpot",
            url: introspection,
            form: {
              client_id: provider.clientId,
              client_secret: secretOf(provider),
              token: tokens.access_token,
              token_type_hint: "access_token",
            },
          }),
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: idOf(profile.user_id, profile.signed_access_token?.userId),
        name: textOf(profile.user),
        email: textOf(profile.user),
        image: null,
      }),
      style: { brandColor: "#ff7a59", logo: mark },
      console: "https://app.hubspot.com/developer",
      docs: "https://developers.hubspot.com/docs/api-reference/legacy/authentication/oauth-tokens/v1/migration-guide",
      checked: "2026-11-21",
      notes: [
        "The profile is HubSpot's information about the token: it has an e-mail address, but neither a name nor a picture.",
        "The endpoints of 2026-03 are used; those of v1 end on 2027-02-16.",
      ],
    },
    config,
  )
}

export default HubSpot
