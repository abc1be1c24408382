/** Tumblr. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/tumblr.js"
import { entriesOf, idOf, textOf } from "./parts/values.js"

/** What Tumblr says of a person. */
export interface TumblrProfile extends FurtherClaims {
  meta?: { status: number; msg: string }
  response?: { user?: { name?: string; blogs?: TumblrBlog[]; [extra: string]: unknown } }
}

/** A blog of a person. */
export interface TumblrBlog {
  name: string
  uuid: string
  title: string
  url: string
  primary: boolean
  avatar?: { url: string; width: number; height: number }[]
}

/** Sign-in with Tumblr. */
export function Tumblr(config: OAuthUserConfig<TumblrProfile> = {}): OAuth2Config<TumblrProfile, UsualId<"tumblr">> {
  return oauth(
    {
      id: "tumblr",
      name: "Tumblr",
      authorization: { url: "https://www.tumblr.com/oauth2/authorize", params: { scope: "basic" } },
      token: "https://api.tumblr.com/v2/oauth2/token",
      userinfo: "https://api.tumblr.com/v2/user/info",
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(primary(profile)?.uuid, profile.response?.user?.name),
        name: textOf(profile.response?.user?.name),
        email: null,
        image: textOf(entriesOf(primary(profile)?.avatar)[0]?.url),
      }),
      style: { brandColor: "#36465d", logo: mark },
      console: "https://www.tumblr.com/oauth/apps",
      docs: "https://www.tumblr.com/docs/en/api/v2",
      checked: "2026-11-21",
      notes: [
        "The id of the account is its primary blog: people have no other id and no e-mail address.",
        "A refresh token needs the scope `offline_access`.",
      ],
    },
    config,
  )
}

export default Tumblr

function primary({ response }: TumblrProfile): TumblrBlog | undefined {
  return entriesOf(response?.user?.blogs).find((blog) => blog.primary === true)
}
