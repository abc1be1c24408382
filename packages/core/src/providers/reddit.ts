/** Reddit. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/reddit.js"
import { idOf, textOf } from "./parts/values.js"

/** What Reddit says of a person. */
export interface RedditProfile extends FurtherClaims {
  id: string
  name: string
  icon_img: string | null
  snoovatar_img: string
  has_verified_email: boolean
  verified: boolean
  oauth_client_id: string
  created_utc: number
  total_karma: number
  is_suspended: boolean
  over_18: boolean
}

/** Sign-in with Reddit. */
export function Reddit(config: OAuthUserConfig<RedditProfile> = {}): OAuth2Config<RedditProfile, UsualId<"reddit">> {
  return oauth(
    {
      id: "reddit",
      name: "Reddit",
      authorization: { url: "https://www.reddit.com/api/v1/authorize", params: { scope: "identity" } },
      token: "https://www.reddit.com/api/v1/access_token",
      userinfo: "https://oauth.reddit.com/api/v1/me",
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.name),
        email: null,
        // What follows is a signature in escaped text.
        image: textOf(textOf(profile.icon_img)?.split("?")[0]),
      }),
      style: { brandColor: "#ff4500", logo: mark },
      console: "https://www.reddit.com/prefs/apps",
      docs: "https://github.com/reddit-archive/reddit/wiki/OAuth2",
      checked: "2026-11-21",
      notes: [
        'A refresh token needs the parameter `duration: "permanent"`.',
        "The profile has no e-mail address. An application has exactly one callback.",
      ],
    },
    config,
  )
}

export default Reddit
