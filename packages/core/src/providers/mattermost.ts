/** Mattermost. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/mattermost.js"
import { byClaim, idOf, joined, textOf } from "./parts/values.js"

/** What Mattermost says of a person. */
export interface MattermostProfile extends FurtherClaims {
  id: string
  create_at: number
  update_at: number
  delete_at: number
  username: string
  auth_data: string
  auth_service: string
  email: string
  email_verified: boolean
  nickname: string
  first_name: string
  last_name: string
  position: string
  roles: string
  notify_props?: Record<string, string>
  last_password_update: number
  locale: string
  timezone?: Record<string, string>
  disable_welcome_email: boolean
  terms_of_service_id: string
  terms_of_service_create_at: number
}

/** Sign-in with Mattermost. `issuer` is the URL of the server. */
export function Mattermost<P extends MattermostProfile = MattermostProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"mattermost">> {
  return oauth(
    {
      id: "mattermost",
      name: "Mattermost",
      authorization: "{issuer}/oauth/authorize",
      token: "{issuer}/oauth/access_token",
      userinfo: "{issuer}/api/v4/users/me",
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.username, joined(profile.first_name, profile.last_name)),
        email: textOf(profile.email),
        image: null,
      }),
      emailVerified: byClaim,
      style: { brandColor: "#1e325c", logo: mark },
      docs: "https://developers.mattermost.com/integrate/apps/authentication/oauth2/",
      checked: "2026-11-21",
      notes: [
        "`issuer` is the URL of the server.",
        "Applications are made under Integrations, OAuth 2.0 Applications.",
      ],
    },
    config,
  )
}

export default Mattermost
