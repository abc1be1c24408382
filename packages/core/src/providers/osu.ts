/** osu!. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/osu.js"
import { idOf, textOf } from "./parts/values.js"

/** What osu! says of a person. */
export interface OsuProfile extends FurtherClaims {
  avatar_url: string
  country_code: string
  default_group: string
  id: number
  is_active: boolean
  is_bot: boolean
  is_deleted: boolean
  is_online: boolean
  is_supporter: boolean
  last_visit: string | null
  pm_friends_only: boolean
  profile_colour: string | null
  username: string
  discord: string | null
  has_supported: boolean
  interests: string | null
  join_date: string
  kudosu?: { available: number; total: number }
  location: string | null
  max_blocks: number
  max_friends: number
  occupation: string | null
  playmode: string
  playstyle?: string[]
  post_count: number
  profile_order?: string[]
  title: string | null
  title_url: string | null
  twitter: string | null
  website: string | null
  country?: { code: string; name: string }
  cover?: { custom_url: string | null; url: string; id: number | null }
  is_restricted: boolean
}

/** Sign-in with osu!. */
export function Osu<P extends OsuProfile = OsuProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"osu">> {
  return oauth(
    {
      id: "osu",
      name: "osu!",
      authorization: { url: "https://osu.ppy.sh/oauth/authorize", params: { scope: "identify" } },
      token: "https://osu.ppy.sh/oauth/token",
      userinfo: "https://osu.ppy.sh/api/v2/me",
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.username),
        email: null,
        image: textOf(profile.avatar_url),
      }),
      style: { brandColor: "#ff66aa", logo: mark },
      console: "https://osu.ppy.sh/home/account/edit#oauth",
      docs: "https://osu.ppy.sh/docs/index.html#authentication",
      checked: "2026-11-21",
      notes: ["The profile has no e-mail address."],
    },
    config,
  )
}

export default Osu
