/** Gumroad. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/gumroad.js"
import { idOf, textOf } from "./parts/values.js"

/** What Gumroad says of a person. */
export interface GumroadProfile extends FurtherClaims {
  success: boolean
  user?: {
    user_id: string
    id?: string
    name: string
    email: string
    profile_url: string
    bio: string | null
    twitter_handle: string | null
    url: string
  }
}

/** Sign-in with Gumroad. */
export function Gumroad(
  config: OAuthUserConfig<GumroadProfile> = {},
): OAuth2Config<GumroadProfile, UsualId<"gumroad">> {
  return oauth(
    {
      id: "gumroad",
      name: "Gumroad",
      authorization: { url: "https://gumroad.com/oauth/authorize", params: { scope: "view_profile" } },
      token: "https://api.gumroad.com/oauth/token",
      userinfo: "https://api.gumroad.com/v2/user",
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["state"],
      profile: ({ success, user }) => ({
        id: success === true ? idOf(user?.user_id) : "",
        name: textOf(user?.name),
        email: textOf(user?.email),
        // The picture, whatever the member is called.
        image: textOf(user?.profile_url),
      }),
      style: { brandColor: "#ff90e8", logo: mark },
      console: "https://gumroad.com/settings/advanced",
      docs: "https://gumroad.com/api",
      checked: "2026-11-21",
    },
    config,
  )
}

export default Gumroad
