/** MyAnimeList. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/myanimelist.js"
import { idOf, textOf } from "./parts/values.js"

/** What MyAnimeList says of a person. */
export interface MyAnimeListProfile extends FurtherClaims {
  id: number
  name: string
  picture: string
  gender: string
  birthday: string
  location: string
  joined_at: string
  anime_statistics?: Record<string, unknown>
}

/** Sign-in with MyAnimeList. */
export function MyAnimeList(
  config: OAuthUserConfig<MyAnimeListProfile> = {},
): OAuth2Config<MyAnimeListProfile, UsualId<"myanimelist">> {
  return oauth(
    {
      id: "myanimelist",
      name: "MyAnimeList",
      authorization: { url: "https://myanimelist.net/v1/oauth2/authorize", params: { scope: null } },
      token: "https://myanimelist.net/v1/oauth2/token",
      userinfo: "https://api.myanimelist.net/v2/users/@me",
      checks: ["pkce", "state"],
      pkceMethod: "plain",
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.name),
        email: null,
        image: textOf(profile.picture),
      }),
      style: { brandColor: "#2e51a2", logo: mark },
      console: "https://myanimelist.net/apiconfig",
      docs: "https://myanimelist.net/apiconfig/references/authorization",
      checked: "2026-11-21",
      notes: ["Its PKCE supports only the method `plain`. The profile has no e-mail address."],
    },
    config,
  )
}

export default MyAnimeList
