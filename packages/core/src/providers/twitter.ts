/** X, which was Twitter. */
import { withParams } from "../std/url.js"
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/twitter.js"
import { ask } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What Twitter says of a person. */
export interface TwitterProfile extends FurtherClaims {
  data?: {
    id?: string
    name?: string
    username?: string
    profile_image_url?: string
    /** With the scope `users.email`. */
    confirmed_email?: string
    email?: string
    location?: string
    verified?: boolean
    description?: string
    url?: string
    protected?: boolean
    pinned_tweet_id?: string
    created_at?: string
    [extra: string]: unknown
  }
  includes?: { tweets?: { id: string; text: string }[] }
}

const person = "https://api.x.com/2/users/me"

/** Sign-in with Twitter. */
export function Twitter(
  config: OAuthUserConfig<TwitterProfile> = {},
): OAuth2Config<TwitterProfile, UsualId<"twitter">> {
  return oauth(
    {
      id: "twitter",
      name: "Twitter",
      authorization: {
        url: "https://x.com/i/oauth2/authorize",
        params: { scope: "users.read tweet.read offline.access" },
      },
      token: "https://api.x.com/2/oauth2/token",
      userinfo: {
        url: person,
        request: ({ tokens, fetch }) => {
          // Without its scope the field is refused, and the person with it.
          const mayReadAddress = tokens.scope?.split(" ").includes("users.email")
          const fields = `profile_image_url${mayReadAddress ? ",confirmed_email" : ""}`
          const url = withParams(person, { "user.fields": fields })
          return ask({ fetch, service: "X", url, token: tokens.access_token })
        },
      },
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.data?.id),
        name: textOf(profile.data?.name),
        email: textOf(profile.data?.confirmed_email, profile.data?.email),
        image: textOf(profile.data?.profile_image_url),
      }),
      emailVerified: ({ data }) => (data?.confirmed_email ? true : undefined),
      style: { brandColor: "#1da1f2", logo: mark },
      console: "https://developer.x.com/en/portal/dashboard",
      docs: "https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code",
      checked: "2026-11-21",
      notes: [
        "Use the id and secret of OAuth 2.0, not the API key.",
        'For the e-mail address turn on "Request email from users" and add the scope `users.email`.',
      ],
    },
    config,
  )
}

export default Twitter
