/** Trakt. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/trakt.js"
import { ask } from "./parts/ask.js"
import { idOf, membersOf, textOf } from "./parts/values.js"

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
/** With the id of the person, which the other answer need not have. */
const settings = "https://api.trakt.tv/users/settings?extended=full"

/** Options of {@link Trakt}. */
export type TraktUserConfig<P = TraktUser> = OAuthUserConfig<P> & {
  /**
   * The id of an account is `ids.uuid`, in place of the slug, which changes with the user name and which somebody else can
   * have later. Ids of accounts change when it is set.
   * @default false
   */
  stableIds?: boolean
}

/** Sign-in with Trakt. */
export function Trakt<P extends TraktUser = TraktUser>(
  config: TraktUserConfig<P> = {},
): OAuth2Config<P, UsualId<"trakt">> {
  const { stableIds = false, ...rest } = config
  const url = stableIds ? settings : person
  return oauth(
    {
      id: "trakt",
      name: "Trakt",
      authorization: { url: "https://trakt.tv/oauth/authorize", params: { scope: null } },
      token: "https://api.trakt.tv/oauth/token",
      userinfo: {
        url,
        request: async ({ provider, tokens, fetch }) => {
          const answer = await ask({
            fetch,
            service: "Trakt",
            url,
            token: tokens.access_token,
            headers: { "trakt-api-version": "2", "trakt-api-key": provider.clientId ?? "" },
          })
          return stableIds ? membersOf(answer)["user"] : answer
        },
      },
      profile: (profile) => ({
        id: idOf(stableIds ? profile.ids?.uuid : profile.ids?.slug),
        name: textOf(profile.name, profile.username),
        email: null,
        image: textOf(profile.images?.avatar?.full),
      }),
      style: { brandColor: "#ed2224", logo: mark },
      console: "https://trakt.tv/oauth/applications",
      docs: "https://trakt.docs.apiary.io/#reference/authentication-oauth",
      checked: "2026-11-21",
      notes: [
        "The id of the account is its slug, as in existing applications. It changes with the user name, and whoever takes a name that was given up signs in as the user who had it. Set `stableIds: true`: the id is `ids.uuid` then. Existing accounts have to be moved, as the page about users and accounts says.",
        "The profile has no e-mail address. Pictures may not be displayed on other sites.",
      ],
    },
    rest as OAuthUserConfig<P>,
  )
}

export default Trakt
