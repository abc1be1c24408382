/** Instagram. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/instagram.js"
import { unwrapTokens } from "./parts/tokens.js"
import { idOf, textOf } from "./parts/values.js"

/** What Instagram says of a person. */
export interface InstagramProfile extends FurtherClaims {
  /** App scoped. */
  id: string
  /** Professional account id, new API. */
  user_id: string
  username: string
  account_type: string
  name: string
  /** New API. */
  profile_picture_url: string
}

/** Sign-in with Instagram. */
export function Instagram(
  config: OAuthUserConfig<InstagramProfile> = {},
): OAuth2Config<InstagramProfile, UsualId<"instagram">> {
  return oauth(
    {
      id: "instagram",
      name: "Instagram",
      authorization: {
        url: "https://www.instagram.com/oauth/authorize",
        params: { scope: "instagram_business_basic" },
      },
      token: {
        url: "https://api.instagram.com/oauth/access_token",
        conform: unwrapTokens(({ data }) => (Array.isArray(data) ? data[0] : data)),
      },
      userinfo: {
        url: "https://graph.instagram.com/me",
        params: { fields: "user_id,username,name,account_type,profile_picture_url" },
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: idOf(profile.user_id, profile.id),
        name: textOf(profile.username),
        email: null,
        image: textOf(profile.profile_picture_url),
      }),
      style: { brandColor: "#e4405f", logo: mark },
      console: "https://developers.facebook.com/apps",
      docs: "https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/business-login",
      checked: "2026-11-21",
      notes: [
        "Only professional accounts can sign in: the interface for personal ones ended on 2024-12-04.",
        "Meta's terms do not allow this for authentication; use `facebook`.",
        "The callback has to be https, even on localhost. The profile has no e-mail address.",
      ],
    },
    config,
  )
}

export default Instagram
