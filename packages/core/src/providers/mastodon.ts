/** Mastodon. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/mastodon.js"
import { idOf, textOf } from "./parts/values.js"

/** What Mastodon says of a person. */
export interface MastodonProfile extends FurtherClaims {
  id: string
  username: string
  acct: string
  display_name: string
  locked: boolean
  bot: boolean
  created_at: string
  note: string
  url: string
  avatar: string
  avatar_static: string
  header: string
  header_static: string
  followers_count: number
  following_count: number
  statuses_count: number
  last_status_at: string | null
}

/** Sign-in with Mastodon. `issuer` is the URL of the instance. */
export function Mastodon<P extends MastodonProfile = MastodonProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"mastodon">> {
  return oauth(
    {
      id: "mastodon",
      name: "Mastodon",
      authorization: { url: "{issuer}/oauth/authorize", params: { scope: "read" } },
      token: "{issuer}/oauth/token",
      userinfo: "{issuer}/api/v1/accounts/verify_credentials",
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.username),
        email: null,
        image: textOf(profile.avatar_static),
      }),
      style: { brandColor: "#6364ff", logo: mark },
      docs: "https://docs.joinmastodon.org/spec/oauth/",
      checked: "2026-11-21",
      notes: [
        "`issuer` is the URL of the instance; you have to register an application with each instance.",
        "From version 4.3 the scope `profile` is enough, before it `read:accounts`.",
        "The profile has no e-mail address, and an id is unique on its instance only.",
      ],
    },
    config,
  )
}

export default Mastodon
