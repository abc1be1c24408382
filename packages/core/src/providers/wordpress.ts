/** WordPress.com. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/wordpress.js"
import { byClaim, rawIdOf, textOf } from "./parts/values.js"

/** What WordPress.com says of a person. */
export interface WordpressProfile extends FurtherClaims {
  ID: number
  display_name: string
  username: string
  email: string
  primary_blog: number
  primary_blog_url: string
  language: string
  token_site_id: number | boolean
  token_scope?: string[]
  avatar_URL: string
  profile_URL: string
  verified: boolean
  email_verified: boolean
  date: string
  site_count: number
  meta?: Record<string, unknown>
}

/** Sign-in with WordPress.com. */
export function WordPress(
  config: OAuthUserConfig<WordpressProfile> = {},
): OAuth2Config<WordpressProfile, UsualId<"wordpress">> {
  return oauth(
    {
      id: "wordpress",
      name: "WordPress.com",
      authorization: { url: "https://public-api.wordpress.com/oauth2/authorize", params: { scope: "auth" } },
      token: "https://public-api.wordpress.com/oauth2/token",
      userinfo: "https://public-api.wordpress.com/rest/v1/me",
      profile: (profile) => ({
        id: rawIdOf(profile.ID),
        name: textOf(profile.display_name),
        email: textOf(profile.email),
        image: textOf(profile.avatar_URL),
      }),
      emailVerified: byClaim,
      style: { brandColor: "#0675c4", logo: mark },
      console: "https://developer.wordpress.com/apps/",
      docs: "https://developer.wordpress.com/docs/oauth2/",
      checked: "2026-11-21",
      notes: ["This is WordPress.com, not a WordPress of your own."],
    },
    config,
  )
}

export default WordPress
