/** Trakt. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/trakt.js"
import { ask } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What Trakt says of a person. */
export interface TraktUser extends FurtherClaims {
  username: string
  private: boolean
  name: string
  vip: boolean
  vip_ep: boolean
  ids?: { slug?: string; uuid?: string }
  joined_at: string
  location: string | null
  about: string | null
  gender: string | null
  age: number | null
  images?: { avatar?: { full?: string } }
}

const person = "https://api.trakt.tv/users/me?extended=full"

/** Sign-in with Trakt. */
export function Trakt<P extends TraktUser = TraktUser>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"trakt">> {
  return oauth(
    {
      id: "trakt",
      name: "Trakt",
      authorization: { url: "https://trakt.tv/oauth/authorize", params: { scope: null } },
      token: "https://api.trakt.tv/oauth/token",
      userinfo: {
        url: person,
        request: ({ provider, tokens, fetch }) =>
          ask({
            fetch,
            service: "Trakt",
            url: person,
            token: tokens.access_token,
            headers: { "trakt-api-version": "2", "trakt-api-key": provider.clientId ?? "" },
          }),
      },
      profile: (profile) => ({
        id: idOf(profile.ids?.slug),
        name: textOf(profile.name, profile.username),
        email: null,
        image: textOf(profile.images?.avatar?.full),
      }),
      style: { brandColor: "#ed2224", logo: mark },
      console: "https://trakt.tv/oauth/applications",
      docs: "https://trakt.docs.apiary.io/#reference/authentication-oauth",
      checked: "2026-11-21",
      notes: [
        "The id of the account is its slug, as in existing applications. It changes with the user name, and whoever takes a name that was given up signs in as the user who had it.",
        "The profile has no e-mail address. Pictures may not be displayed on other sites.",
      ],
    },
    config,
  )
}

export default Trakt
