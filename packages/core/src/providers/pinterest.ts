/** Pinterest. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/pinterest.js"
import { idOf, textOf } from "./parts/values.js"

/** What Pinterest says of a person. */
export interface PinterestProfile extends FurtherClaims {
  account_type: "BUSINESS" | "PINNER"
  profile_image: string
  website_url: string
  username: string
  id: string
  about: string
  business_name: string | null
  board_count: number
  pin_count: number
  follower_count: number
  following_count: number
  monthly_views: number
}

/** Options of {@link PinterestProvider}. */
export type PinterestUserConfig<P = PinterestProfile> = OAuthUserConfig<P> & {
  /**
   * The id of an account is the one that Pinterest gave it, in place of the user name, which somebody else can have later.
   * Ids of accounts change when it is set.
   * @default false
   */
  stableIds?: boolean
}

/** Sign-in with Pinterest. */
export function PinterestProvider<P extends PinterestProfile = PinterestProfile>(
  config: PinterestUserConfig<P> = {},
): OAuth2Config<P, UsualId<"pinterest">> {
  const { stableIds = false, ...rest } = config
  return oauth(
    {
      id: "pinterest",
      name: "Pinterest",
      authorization: { url: "https://www.pinterest.com/oauth", params: { scope: "user_accounts:read" } },
      token: "https://api.pinterest.com/v5/oauth/token",
      userinfo: "https://api.pinterest.com/v5/user_account",
      profile: (profile) => ({
        id: idOf(stableIds ? profile.id : profile.username),
        name: textOf(profile.username),
        email: null,
        image: textOf(profile.profile_image),
      }),
      style: { brandColor: "#bd081c", logo: mark },
      console: "https://developers.pinterest.com/apps/",
      docs: "https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/",
      checked: "2026-11-21",
      notes: [
        "The id of the account is its user name, as in existing applications. It can change, and whoever takes a name that was given up signs in as the user who had it. Set `stableIds: true`: the id is that of Pinterest then. Existing accounts have to be moved, as the page about users and accounts says.",
        "Scopes are separated by commas. Production needs standard access.",
        "The profile has no e-mail address.",
      ],
    },
    rest as OAuthUserConfig<P>,
  )
}

export default PinterestProvider
